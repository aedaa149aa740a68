import type { TargetedPointerEvent } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { formatNumber } from '../format.ts'
import {
  type ChartShape,
  chartHeight,
  formatPointTime,
  type Layout,
  layoutOf,
  linePath,
  type Mark,
  margin,
  nearestMark,
  type Point,
} from './layout.ts'

interface TimeSeriesChartProps {
  title: string
  points: readonly Point[]
  shape: ChartShape
}

/** Draws a chart that fills the width of its container. */
export function TimeSeriesChart({ title, points, shape }: TimeSeriesChartProps) {
  const [container, width] = useWidth()
  const [hovered, setHovered] = useState<number>()
  const layout = layoutOf(points, width, shape)
  const { marks } = layout
  const mark = hovered === undefined ? undefined : marks[hovered]
  const withValues = marks.filter(({ y }) => y !== undefined)
  const hover = (event: TargetedPointerEvent<Element>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    const nearest = withValues[nearestMark(withValues, event.clientX - left)]
    setHovered(nearest && marks.indexOf(nearest))
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
        <YAxis {...layout} width={width} />
        <XAxis ticks={layout.xTicks} />
        {shape === 'bars' ? <Bars {...layout} /> : <Line marks={marks} />}
        {mark && <Cursor mark={mark} layout={layout} width={width} />}
      </svg>
      <Summary points={points} />
    </div>
  )
}

function YAxis({ yTicks, left, width }: Pick<Layout, 'yTicks' | 'left'> & { width: number }) {
  return (
    <>
      {yTicks.map(({ position, label }) => (
        <g key={label}>
          <line class="grid" x1={left} x2={width - margin.right} y1={position} y2={position} />
          <text x={left - 8} y={position} dy="0.32em" text-anchor="end">
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
      {ticks.map(({ position, label, anchor }) => (
        <text key={position} x={position} y={chartHeight - 8} text-anchor={anchor}>
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
      {marks
        .filter((_, index) => marks.length <= mostDots || isAlone(marks, index))
        .map(({ at, x, y }) =>
          y === undefined ? null : <circle key={at} class="dot" cx={x} cy={y} r="2.5" />,
        )}
    </>
  )
}

/** If there are more marks than this, only marks without neighbours are drawn as dots. */
const mostDots = 120

function isAlone(marks: readonly Mark[], index: number): boolean {
  return marks[index - 1]?.y === undefined && marks[index + 1]?.y === undefined
}

interface CursorProps {
  mark: Mark
  layout: Layout
  width: number
}

/** The size of the label at the cursor, in pixels. */
const tip = { width: 132, height: 40, space: 12 }

function Cursor({ mark: { at, x, y, value }, layout, width }: CursorProps) {
  if (y === undefined || value === null) return null
  const isLeft = x + tip.space + tip.width > width
  const tipX = Math.max(layout.left, isLeft ? x - tip.space - tip.width : x + tip.space)
  const tipY = Math.min(
    Math.max(margin.top, y - tip.height / 2),
    chartHeight - margin.bottom - tip.height,
  )
  return (
    <>
      <line class="cursor" x1={x} x2={x} y1={margin.top} y2={chartHeight - margin.bottom} />
      <circle class="hovered" cx={x} cy={y} r="4.5" />
      <g class="tip" transform={`translate(${tipX} ${tipY})`}>
        <rect width={tip.width} height={tip.height} rx="5" />
        <text class="strong" x="10" y="17">
          {formatNumber(value)}
        </text>
        <text x="10" y="32">
          {formatPointTime(at)}
        </text>
      </g>
    </>
  )
}

function Summary({ points }: { points: readonly Point[] }) {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  if (values.length === 0) return null
  const average = values.reduce((sum, value) => sum + value, 0) / values.length
  const facts = [
    ['lowest', Math.min(...values)],
    ['average', average],
    ['highest', Math.max(...values)],
  ] as const
  return (
    <p class="value">
      {facts.map(([name, value]) => (
        <span key={name}>
          {name} <strong>{formatNumber(value)}</strong>
        </span>
      ))}
    </p>
  )
}

/** Returns a ref for an element, and the element's width in whole pixels, at least 240. */
export function useWidth() {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(640)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const update = () => setWidth(Math.max(240, Math.floor(current.clientWidth)))
    const observer = new ResizeObserver(update)
    update()
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return [element, width] as const
}
