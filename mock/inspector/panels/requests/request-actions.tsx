import type { HistoryPoint } from '../../../snapshot/history-point.ts'
import { CopyButton } from '../../components/copy.tsx'
import { addressOf } from '../../route.ts'
import { useFetch, useTeam } from '../../team-context.ts'
import { clientCallOf, curlOf, requestTestOf, type WireEntry } from './request-code.ts'

/** Copies a request as a command, a call or a test, and shows the state after it. */
export function RequestActions({ entry }: { entry: WireEntry }) {
  const { send } = useTeam()
  const history = useFetch<{ points: HistoryPoint[] }>('GET /history')
  const point = history?.points.findLast(({ request }) => request === entry.number)
  const before = history?.points.find(({ number }) => number === (point?.number ?? 0) - 1)
  const call = clientCallOf(entry)
  const test = async () => {
    const route = `GET /history/${before?.number}/reproduction`
    const line = before && (await send<{ line: string }>(route)).line
    return requestTestOf(entry, line)
  }
  return (
    <div class="actions">
      <CopyButton name="curl command" text={() => curlOf(entry)}>
        Copy as curl
      </CopyButton>
      {call && (
        <CopyButton name="client call" text={() => `await ${call}`}>
          Copy as client call
        </CopyButton>
      )}
      <CopyButton name="test" text={test}>
        Copy as test
      </CopyButton>
      {point && (
        <a class="button" href={addressOf(['rewind', point.number])}>
          Rewind to here
        </a>
      )}
    </div>
  )
}
