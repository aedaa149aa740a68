import { useState } from 'preact/hooks'
import type { HistoryPoint, HistoryPointDetail } from '../../../snapshot/history-point.ts'
import { type CollectionName, collectionNames } from '../../../state/records/paths.ts'
import { linkTo } from '../../address.ts'
import { ChangeView } from '../../components/change.tsx'
import { JsonView } from '../../components/json.tsx'
import { Details, Loading, Section } from '../../components/panel.tsx'
import { CopyButton, DottedName } from '../../components/text.tsx'
import { formatCount, formatDateTime, formatNumber } from '../../format.ts'
import { useFetch, useTeam } from '../../team-context.ts'
import { clientCallOf, type SentRequest, testFile } from '../requests/request-code.ts'
import { type Comparison, compareSnapshots } from '../snapshots/compare.ts'
import { ComparisonView } from '../snapshots/snapshots.tsx'
import { kindTitles } from './timeline.tsx'

interface PointDetailProps {
  point: HistoryPoint
  before: HistoryPoint | undefined
  /** The next point recorded for a request. */
  next: HistoryPoint | undefined
}

const itemLimit = 100

export function PointDetail({ point, before, next }: PointDetailProps) {
  const detail = useFetch('history.get', { params: { number: point.number } })
  return (
    <section class="detail" aria-label="Selected point">
      <h2>{point.title}</h2>
      <p class="facts">
        <span class={`status point ${point.kind}`}>{kindTitles[point.kind]}</span>
        <span class="hint">
          point {formatNumber(point.number)}, {formatDateTime(point.at)}
        </span>
        {point.request !== undefined && (
          <a href={linkTo(['requests', point.request])}>Request {point.request}</a>
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
  const params = { number: point.number }
  const fork = () =>
    run('Created a team with the state at this point, without webhooks.', async () => {
      const { api_key } = await send('history.fork', { params })
      await selectTeam(api_key)
    })
  const compare = () =>
    run('Compared the point with the current state.', async () => {
      const then = await send('history.snapshot', { params })
      const now = await send('snapshot')
      setComparison(compareSnapshots(then, { ...now, webhooks: [] }))
    })
  const test = async () => {
    const { line } = await send('history.reproduction', { params })
    const number = next?.request
    const entry =
      number === undefined ? undefined : await send('journal.get', { params: { number } })
    return testFile({
      title: `continues after ${point.title}`,
      reproduction: line,
      // A request that was sent before this point has already taken effect, so the test must not send it again.
      steps: stepsOf(entry && Date.parse(entry.at) >= Date.parse(point.at) ? entry : undefined),
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

/** Returns a test's steps: the next request if a client call can send it, otherwise a placeholder. */
function stepsOf(entry: SentRequest | undefined): string[] {
  const call = entry && clientCallOf(entry)
  if (!call) return ['// Continue here: await client…', 'expect(team.journal.lines()).toEqual([])']
  const { response, outcome } = entry
  const step = `await ${call}${response && response.status < 400 ? '' : '.catch(() => {})'}`
  return [step, `expect(team.journal.last()?.outcome).toBe('${outcome}')`]
}

function Changes({ changes }: { changes: HistoryPointDetail['changes'] }) {
  return (
    <Section title="State changes" count={formatNumber(changes.length)}>
      {changes.length === 0 && <p class="hint">None</p>}
      {changes.slice(0, itemLimit).map((change, index) => (
        <ChangeView key={index} change={change} />
      ))}
      {changes.length > itemLimit && <p class="hint">Showing the first {itemLimit}.</p>}
    </Section>
  )
}

function Events({ point, before }: Omit<PointDetailProps, 'next'>) {
  const after = Math.min(before?.latestEvent ?? 0, point.latestEvent)
  const count = point.latestEvent - after
  const first = Math.max(1, Math.min(count, itemLimit))
  const sent = useFetch('events.list', { query: { after, first } })
  return (
    <Section title="Events" count={formatNumber(count)}>
      {count === 0 && <p class="hint">None</p>}
      {sent?.events.slice(0, count).map(({ number, event_type, body }) => (
        <Details key={number} title={<DottedName name={event_type} />}>
          <JsonView value={body} />
        </Details>
      ))}
    </Section>
  )
}

function Records({
  point,
  records,
}: {
  point: HistoryPoint
  records: HistoryPointDetail['records']
}) {
  const [collection, setCollection] = useState<CollectionName>()
  const names = collectionNames.flatMap((name) =>
    records[name] ? [[name, records[name]] as const] : [],
  )
  const total = names.reduce((sum, [, count]) => sum + count, 0)
  return (
    <Section title="Records at this point" count={formatNumber(total)}>
      {names.length === 0 && <p class="hint">Only the records that every team starts with</p>}
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
      {collection && <RecordsOf number={point.number} collection={collection} />}
    </Section>
  )
}

function RecordsOf({ number, collection }: { number: number; collection: CollectionName }) {
  const query = { collection, last: itemLimit }
  const shown = useFetch('history.records', { params: { number }, query })
  if (!shown) return null
  return (
    <>
      <JsonView value={shown} />
      {shown.length === itemLimit && (
        <p class="hint">Showing the latest {formatCount(itemLimit, 'record')}.</p>
      )}
    </>
  )
}
