import { useState } from 'preact/hooks'
import type { HistoryPoint, HistoryPointDetail } from '../../../snapshot/history-point.ts'
import type { Snapshot } from '../../../snapshot/snapshot.ts'
import { ChangeView } from '../../components/change.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { Json } from '../../components/json.tsx'
import { Details, Loading } from '../../components/panel.tsx'
import { DottedName } from '../../components/text.tsx'
import { formatCount, formatDateTime, formatNumber } from '../../format.ts'
import { addressOf } from '../../route.ts'
import { useFetch, useTeam } from '../../team-context.ts'
import { clientCallOf, testFile, type WireEntry } from '../requests/request-code.ts'
import { type Comparison, compareSnapshots } from '../snapshots/compare.ts'
import { ComparisonView } from '../snapshots/comparison-view.tsx'
import { kindTitles } from './timeline.tsx'

interface PointDetailProps {
  point: HistoryPoint
  before: HistoryPoint | undefined
  /** The next point that a request led to. */
  next: HistoryPoint | undefined
}

/** The maximum number of changes, and of events, that are shown. */
const itemLimit = 100

/** Shows what happened at a point, and the state of the team after it. */
export function PointDetail({ point, before, next }: PointDetailProps) {
  const detail = useFetch<HistoryPointDetail>(`GET /history/${point.number}`)
  return (
    <section class="detail" aria-label="Selected point">
      <h2>{point.title}</h2>
      <p class="facts">
        <span class={`status point ${point.kind}`}>{kindTitles[point.kind]}</span>
        <span class="hint">
          point {formatNumber(point.number)}, {formatDateTime(point.at)}
        </span>
        {point.request !== undefined && (
          <a href={addressOf(['requests', point.request])}>Request {point.request}</a>
        )}
      </p>
      <PointActions point={point} next={next} />
      {detail ? (
        <>
          <Changes changes={detail.changes} />
          <Events point={point} before={before} />
          <Records point={point} records={detail.records} />
        </>
      ) : (
        <Loading />
      )}
    </section>
  )
}

function PointActions({ point, next }: Omit<PointDetailProps, 'before'>) {
  const { send, run, selectTeam } = useTeam()
  const [comparison, setComparison] = useState<Comparison>()
  const path = `/history/${point.number}`
  const fork = () =>
    run('Created a team with the state at this point. It has no webhooks.', async () => {
      const { api_key } = await send<{ api_key: string }>(`POST ${path}/fork`, {})
      await selectTeam(api_key)
    })
  const compare = () =>
    run('Compared the point with the team now.', async () => {
      const then = await send<Snapshot>(`GET ${path}/snapshot`)
      const now = await send<Snapshot>('GET /snapshot')
      setComparison(compareSnapshots(then, { ...now, webhooks: [] }))
    })
  const test = async () => {
    const { line } = await send<{ line: string }>(`GET ${path}/reproduction`)
    const request = next?.request
    const entry =
      request === undefined ? undefined : await send<WireEntry>(`GET /journal/${request}`)
    return testFile({
      title: `continues after ${point.title}`,
      reproduction: line,
      steps: stepsOf(entry),
    })
  }
  return (
    <>
      <div class="actions">
        <button type="button" class="main" onClick={fork}>
          Fork into a new team
        </button>
        <CopyButton name="test" text={test}>
          Copy as test
        </CopyButton>
        <button type="button" onClick={compare}>
          Compare with now
        </button>
      </div>
      {comparison && <ComparisonView {...comparison} />}
    </>
  )
}

/** Returns the steps of a test: the next request, if there was one. */
function stepsOf(entry: WireEntry | undefined): string[] {
  const call = entry && clientCallOf(entry)
  const status = entry?.response?.status
  const step = call
    ? `await ${call}${status && status < 400 ? '' : '.catch(() => {})'}`
    : '// await client…'
  return [step, "expect(team.journal.last()?.outcome).toBe('responded')"]
}

function Changes({ changes }: Pick<HistoryPointDetail, 'changes'>) {
  return (
    <section class="part">
      <h3>
        State changes <span class="count">{formatNumber(changes.length)}</span>
      </h3>
      {changes.length === 0 && <p class="hint">None</p>}
      {changes.slice(0, itemLimit).map((change, index) => (
        <ChangeView key={index} change={change} />
      ))}
      {changes.length > itemLimit && <p class="hint">Showing the first {itemLimit}.</p>}
    </section>
  )
}

function Events({ point, before }: Omit<PointDetailProps, 'next'>) {
  const after = Math.min(before?.latestEvent ?? 0, point.latestEvent)
  const count = point.latestEvent - after
  const route =
    count > 0 ? `GET /events?after=${after}&first=${Math.min(count, itemLimit)}` : undefined
  const sent = useFetch<{ events: { number: number; event_type: string; body: unknown }[] }>(route)
  return (
    <section class="part">
      <h3>
        Events <span class="count">{formatNumber(count)}</span>
      </h3>
      {count === 0 && <p class="hint">None</p>}
      {sent?.events.map(({ number, event_type, body }) => (
        <Details key={number} title={<DottedName name={event_type} />}>
          <Json value={body} />
        </Details>
      ))}
    </section>
  )
}

function Records({
  point,
  records,
}: { point: HistoryPoint } & Pick<HistoryPointDetail, 'records'>) {
  const [collection, setCollection] = useState<string>()
  const shown = useFetch<object[]>(
    collection && `GET /history/${point.number}/records?collection=${collection}&last=${itemLimit}`,
  )
  const names = Object.entries(records).filter(([, count]) => count > 0)
  const total = names.reduce((sum, [, count]) => sum + count, 0)
  return (
    <section class="part">
      <h3>
        Records at this point <span class="count">{formatNumber(total)}</span>
      </h3>
      {names.length === 0 && <p class="hint">Only those that every team starts with</p>}
      <div class="actions">
        {names.map(([name, count]) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === collection}
            onClick={() => setCollection(name === collection ? undefined : name)}
          >
            {name} <span class="count">{formatNumber(count)}</span>
          </button>
        ))}
      </div>
      {shown && <Json value={shown} />}
      {shown && shown.length === itemLimit && (
        <p class="hint">Showing the latest {formatCount(itemLimit, 'record')}.</p>
      )}
    </section>
  )
}
