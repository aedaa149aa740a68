import { useState } from 'preact/hooks'
import { formatNumber } from '../format.ts'
import {
  type ChartShape,
  chartHeight,
  type Layout,
  layoutOf,
  linePath,
  type Mark,
  margin,
  nearestMark,
  type Point,
} from './layout.ts'
import { useWidth } from './use-width.ts'

interface TimeSeriesChartProps {
  title: string
  points: readonly Point[]
  shape: ChartShape
}

/** Draws values over time, at the width of its container. */
export function TimeSeriesChart({ title, points, shape }: TimeSeriesChartProps) {
  const [container, width] = useWidth()
  const [hovered, setHovered] = useState<number>()
  const layout = layoutOf(points, width, shape)
  const { marks } = layout
  const mark = hovered === undefined ? undefined : marks[hovered]
  const hover = (event: PointerEvent) => {
    const { left } = (event.currentTarget as Element).getBoundingClientRect()
    setHovered(nearestMark(marks, event.clientX - left))
  }
  return (
    <div class="chart">
      <div ref={container} />
      <svg
        width={width}
        height={chartHeight}
        role="img"
        aria-label={`${title}; the table contains the values`}
        onPointerMove={hover}
        onPointerLeave={() => setHovered(undefined)}
      >
        <YAxis ticks={layout.yTicks} width={width} />
        <XAxis ticks={layout.xTicks} />
        {shape === 'bars' ? <Bars {...layout} /> : <Line marks={marks} />}
        {mark && <Cursor {...mark} />}
      </svg>
      <p class="value" aria-hidden="true">
        {mark && mark.value !== null
          ? `${mark.at.slice(0, 10)}: ${formatNumber(mark.value)}`
          : '\u00a0'}
      </p>
    </div>
  )
}

function YAxis({ ticks, width }: { ticks: Layout['yTicks']; width: number }) {
  return (
    <>
      {ticks.map(({ position, label }) => (
        <g key={label}>
          <line
            class="grid"
            x1={margin.left}
            x2={width - margin.right}
            y1={position}
            y2={position}
          />
          <text x={margin.left - 8} y={position} dy="0.32em" text-anchor="end">
            {formatNumber(label)}
          </text>
        </g>
      ))}
    </>
  )
}

function XAxis({ ticks }: { ticks: Layout['xTicks'] }) {
  return (
    <>
      {ticks.map(({ position, label }) => (
        <text key={position} x={position} y={chartHeight - 8} text-anchor="middle">
          {label}
        </text>
      ))}
    </>
  )
}

function Bars({ marks, baseline, barWidth }: Layout) {
  return (
    <>
      {marks.map(({ at, x, y = baseline }) => (
        <rect
          key={at}
          class="bar"
          x={x - barWidth / 2}
          y={Math.min(y, baseline)}
          width={barWidth}
          height={Math.abs(y - baseline)}
          rx="1.5"
        />
      ))}
    </>
  )
}

function Line({ marks }: { marks: readonly Mark[] }) {
  return (
    <>
      <path d={linePath(marks)} />
      {marks.map(({ at, x, y }) =>
        y === undefined ? null : <circle key={at} class="dot" cx={x} cy={y} r="2.5" />,
      )}
    </>
  )
}

/** Shows which mark is under the pointer. */
function Cursor({ x, y }: Mark) {
  if (y === undefined) return null
  return (
    <>
      <line class="cursor" x1={x} x2={x} y1={margin.top} y2={chartHeight - margin.bottom} />
      <circle class="hovered" cx={x} cy={y} r="4.5" />
    </>
  )
}
