import type { HistoryPoint } from '../../../snapshot/history-point.ts'
import { linkTo, useAddress } from '../../address.ts'
import { Empty, Loading, Panel } from '../../components/panel.tsx'
import { formatDateTime, formatNumber } from '../../format.ts'
import { useFetch } from '../../team-context.ts'
import { PointDetail } from './point-detail.tsx'
import { TimelineView } from './timeline.tsx'

export function RewindPanel() {
  const [wanted] = useAddress().path
  const history = useFetch('history.list')
  const points = history?.points ?? []
  const index = points.findIndex(({ number }) => String(number) === wanted)
  const selected = index < 0 ? points.length - 1 : index
  const point = points[selected]
  return (
    <Panel
      title="Rewind"
      hint="Shows the team’s state after each request, scheduled event and change since recording started: the latest 1,000 points, without webhooks."
    >
      {!history && <Loading />}
      {history && points.length === 0 && <Empty title="Nothing has been recorded yet." />}
      {point && (
        <>
          <TimelineView points={points} selected={selected} select={(at) => show(points[at])} />
          <div class="split">
            <PointList points={points} selected={selected} />
            <PointDetail
              key={point.number}
              point={point}
              before={points[selected - 1]}
              next={points.slice(selected + 1).find(({ kind }) => kind === 'request')}
            />
          </div>
        </>
      )}
    </Panel>
  )
}

/** Selects a point without adding an entry to the browser's history, because the slider passes through many points. */
function show(point: HistoryPoint | undefined): void {
  if (!point) return
  history.replaceState(null, '', linkTo(['rewind', point.number]))
  dispatchEvent(new HashChangeEvent('hashchange'))
}

/** The number of points listed before and after the selected point. */
const neighbours = 15

function PointList({ points, selected }: { points: readonly HistoryPoint[]; selected: number }) {
  const first = Math.max(0, Math.min(selected - neighbours, points.length - 2 * neighbours - 1))
  return (
    <ol class="cards points" aria-label="Points around the selected one, oldest first">
      {points.slice(first, first + 2 * neighbours + 1).map((point) => (
        <li key={point.number}>
          <a
            href={linkTo(['rewind', point.number])}
            aria-current={point === points[selected] ? 'true' : undefined}
          >
            <span class={`dot ${point.kind}`} aria-hidden="true" />
            <span class="name">{point.title}</span>
            <span class="hint">
              {formatNumber(point.number)}, {formatDateTime(point.at).slice(11)}
            </span>
          </a>
        </li>
      ))}
    </ol>
  )
}
