import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { numberOf } from './words.ts'

/** A value at a moment of floating local time, such as `2025-02-17T00:00:00`. */
export interface Point {
  at: string
  value: number | null
}

interface PlotProps {
  title: string
  points: readonly Point[]
  shape: 'line' | 'bars'
}

const height = 280
const margin = { top: 16, right: 12, bottom: 28, left: 52 }

/** Values over time. It is as wide as there is room, so that its letters are as large as others. */
export function Plot({ title, points, shape }: PlotProps) {
  const [place, width] = useWidth()
  const [near, setNear] = useState<number>()
  const { placed, ticks, days, baseline, step } = layout(points, width, shape)
  const seen = near === undefined ? undefined : placed[near]
  const look = (event: PointerEvent) => {
    const { left } = (event.currentTarget as Element).getBoundingClientRect()
    setNear(nearest(placed, event.clientX - left))
  }
  return (
    <div class="plot">
      <div ref={place} />
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${title}; the table has its values`}
        onPointerMove={look}
        onPointerLeave={() => setNear(undefined)}
      >
        {ticks.map(({ y, value }) => (
          <g key={value}>
            <line class="grid" x1={margin.left} x2={width - margin.right} y1={y} y2={y} />
            <text x={margin.left - 8} y={y} dy="0.32em" text-anchor="end">
              {numberOf(value)}
            </text>
          </g>
        ))}
        {days.map(({ x, text }) => (
          <text key={x} x={x} y={height - 8} text-anchor="middle">
            {text}
          </text>
        ))}
        {shape === 'bars'
          ? placed.map(({ at, x, y }) => {
              const bar = Math.max(2, Math.min(step * 0.7, 40))
              const top = Math.min(y ?? baseline, baseline)
              const tall = Math.abs((y ?? baseline) - baseline)
              return (
                <rect
                  key={at}
                  class="bar"
                  x={x - bar / 2}
                  y={top}
                  width={bar}
                  height={tall}
                  rx="1.5"
                />
              )
            })
          : [
              <path key="line" class="curve" d={pathOf(placed)} />,
              ...placed.flatMap(({ at, x, y }) =>
                y === undefined ? [] : [<circle key={at} class="dot" cx={x} cy={y} r="2.5" />],
              ),
            ]}
        {seen?.y !== undefined && (
          <line class="guide" x1={seen.x} x2={seen.x} y1={margin.top} y2={height - margin.bottom} />
        )}
        {seen?.y !== undefined && <circle class="seen" cx={seen.x} cy={seen.y} r="4.5" />}
      </svg>
      <p class="reading" aria-hidden="true">
        {seen?.value === undefined || seen.value === null
          ? '\u00a0'
          : `${seen.at.slice(0, 10)}: ${numberOf(seen.value)}`}
      </p>
    </div>
  )
}

/** An element, and how wide it is. */
function useWidth() {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(640)
  useLayoutEffect(() => {
    const { current } = place
    if (!current) return
    const observer = new ResizeObserver(([entry]) => entry && take(entry.contentRect.width))
    const take = (room: number) => setWidth(Math.max(240, Math.floor(room)))
    take(current.clientWidth)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return [place, width] as const
}

interface Placed extends Point {
  x: number
  /** Undefined without a value. */
  y: number | undefined
}

/** Where everything stands. Bars begin at zero; a line is as steep as its values allow. */
function layout(points: readonly Point[], width: number, shape: PlotProps['shape']) {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  const zero = shape === 'bars' ? [0] : []
  const scale = niceScale(Math.min(...values, ...zero), Math.max(...values, ...zero))
  const y = (value: number) =>
    margin.top +
    ((scale.high - value) / (scale.high - scale.low)) * (height - margin.top - margin.bottom)
  const moments = points.map(({ at }) => Date.parse(`${at.slice(0, 19)}Z`))
  const [first = 0, last = first] = [moments[0], moments.at(-1)]
  const inset = shape === 'bars' ? Math.min(24, width / (points.length + 1) / 2) : 8
  const [left, right] = [margin.left + inset, width - margin.right - inset]
  const x = (moment: number) =>
    last === first
      ? (left + right) / 2
      : left + ((moment - first) / (last - first)) * (right - left)
  const placed = points.map(
    (point, at): Placed => ({
      ...point,
      x: x(moments[at] ?? first),
      y: point.value === null ? undefined : y(point.value),
    }),
  )
  const gaps = placed.slice(1).map((point, at) => point.x - (placed[at]?.x ?? 0))
  return {
    placed,
    ticks: scale.ticks.map((value) => ({ value, y: y(value) })),
    days: dayTicks(placed, width),
    baseline: y(Math.max(0, scale.low)),
    step: Math.min(...gaps, right - left),
  }
}

/** Round values around those of a range, about five of them. */
function niceScale(low: number, high: number): { low: number; high: number; ticks: number[] } {
  if (!Number.isFinite(low)) return niceScale(0, 1)
  if (low === high)
    return niceScale(
      low === 0 ? 0 : low - Math.abs(low) / 10,
      low === 0 ? 1 : low + Math.abs(low) / 10,
    )
  const rough = (high - low) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const [start, end] = [Math.floor(low / step), Math.ceil(high / step)]
  const ticks = Array.from({ length: end - start + 1 }, (_, at) => (start + at) * step)
  return { low: start * step, high: end * step, ticks }
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** As many days as have room. */
function dayTicks(placed: readonly Placed[], width: number): { x: number; text: string }[] {
  const room = Math.max(2, Math.floor((width - margin.left) / 84))
  const every = Math.max(1, Math.ceil(placed.length / room))
  return placed
    .filter((_, at) => at % every === 0)
    .map(({ at, x }) => ({ x, text: dayFormat.format(new Date(`${at.slice(0, 10)}T00:00:00Z`)) }))
}

/** A line through the points, with a gap where there is no value. */
function pathOf(placed: readonly Placed[]): string {
  let isDrawn = false
  return placed
    .map(({ x, y }) => {
      const step = y === undefined ? '' : `${isDrawn ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`
      isDrawn = y !== undefined
      return step
    })
    .join('')
}

function nearest(placed: readonly Placed[], x: number): number {
  const distances = placed.map((point) => Math.abs(point.x - x))
  return distances.indexOf(Math.min(...distances))
}
