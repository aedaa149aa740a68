import type { HistoryPoint } from '../../../snapshot/history-point.ts'
import type { PointKind } from '../../../state/recorder.ts'
import { useWidth } from '../../charts/time-series-chart.tsx'
import { formatDateTime, formatNumber } from '../../format.ts'

interface Shown {
  /** Oldest first. */
  points: readonly HistoryPoint[]
  selected: number
}

interface TimelineProps extends Shown {
  select: (index: number) => void
}

export const kindTitles: Record<PointKind, string> = {
  start: 'Start of the recording',
  request: 'Request',
  due: 'Scheduled event',
  control: 'Control API',
  restore: 'Restore',
}

export function TimelineView({ points, selected, select }: TimelineProps) {
  const last = points.length - 1
  const point = points[selected]
  if (!point) return null
  const steps = [
    ['First point', '⇤', 0],
    ['Previous point', '←', selected - 1],
    ['Next point', '→', selected + 1],
    ['Latest point', '⇥', last],
  ] as const
  const title = `${formatNumber(selected + 1)} of ${formatNumber(points.length)}`
  return (
    <section class="timeline" aria-label="Timeline">
      <Bars points={points} selected={selected} />
      <input
        type="range"
        aria-label="Point in the history"
        aria-valuetext={`${title}: ${point.title}, ${formatDateTime(point.at)}`}
        min="0"
        max={last}
        value={selected}
        onInput={({ currentTarget }) => select(Number(currentTarget.value))}
      />
      <div class="actions">
        {steps.map(([label, text, to]) => (
          <button
            key={label}
            type="button"
            aria-label={label}
            disabled={to === selected || !points[to]}
            onClick={() => select(to)}
          >
            {text}
          </button>
        ))}
        <p class="push">
          <strong>{formatDateTime(point.at)}</strong> <span class="hint">point {title}</span>
        </p>
      </div>
    </section>
  )
}

const barsHeight = 48

function Bars({ points, selected }: Shown) {
  const [container, width] = useWidth()
  // The slider's thumb is 16 pixels wide.
  const step = (width - 16) / Math.max(1, points.length - 1)
  const barWidth = Math.max(1, Math.min(step - 1, 10))
  const highest = Math.max(1, ...points.map(({ changes }) => Math.log2(1 + changes)))
  return (
    <div class="bars">
      <div ref={container} />
      <svg width={width} height={barsHeight} aria-hidden="true">
        {points.map(({ number, kind, changes }, index) => {
          const height = 8 + (Math.log2(1 + changes) / highest) * (barsHeight - 10)
          return (
            <rect
              key={number}
              class={`${kind} ${index === selected ? 'selected' : ''}`}
              x={8 + index * step - barWidth / 2}
              y={barsHeight - height}
              width={barWidth}
              height={height}
            />
          )
        })}
      </svg>
    </div>
  )
}
