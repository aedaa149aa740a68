import { formatNumber } from '../format.ts'

/** A value at a local time without an offset, such as `2025-02-17T00:00:00`. */
export interface Point {
  at: string
  value: number | null
}

/** Sums and counts are drawn as bars, and other values as a line. */
export type ChartShape = 'line' | 'bars'

/** A chart's height, in pixels. */
export const chartHeight = 280

/** The margins around the series, in pixels. The left margin depends on the y-axis labels. */
export const margin = { top: 16, right: 16, bottom: 28 }

/** The width of a digit, and the space beside a label, in pixels. */
const label = { digit: 7, space: 16 }

export interface Mark extends Point {
  x: number
  /** The y position, or undefined for a point without a value. */
  y: number | undefined
}

/** An axis label. `position` is in pixels. */
export interface Tick<Label> {
  position: number
  label: Label
  anchor: 'start' | 'middle' | 'end'
}

export interface Layout {
  /** The x position of the y axis. */
  left: number
  marks: Mark[]
  xTicks: Tick<string>[]
  yTicks: Tick<number>[]
  /** The y position at which bars start. */
  baseline: number
  barWidth: number
}

export function layoutOf(points: readonly Point[], width: number, shape: ChartShape): Layout {
  const { low, high, ticks } = niceRange(valuesOf(points, shape))
  const y = linearScale([low, high], [chartHeight - margin.bottom, margin.top])
  const longest = Math.max(...ticks.map((value) => formatNumber(value).length))
  const left = Math.max(36, longest * label.digit + label.space)
  const x = timeScale(points, { left, width }, shape)
  const marks = points.map((point) => ({
    ...point,
    x: x(point.at),
    y: point.value === null ? undefined : y(point.value),
  }))
  return {
    marks,
    left,
    xTicks: timeTicks(marks, { left, width }),
    yTicks: ticks.map((value) => ({ position: y(value), label: value, anchor: 'end' })),
    baseline: y(Math.max(0, low)),
    barWidth: barWidthOf(marks, width),
  }
}

/** Adds zero for bars, because bars start at zero. */
function valuesOf(points: readonly Point[], shape: ChartShape): number[] {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  return shape === 'bars' ? [0, ...values] : values
}

/** `left` is the x position of the y axis. */
interface Extent {
  left: number
  width: number
}

function timeScale(
  points: readonly Point[],
  { left, width }: Extent,
  shape: ChartShape,
): (at: string) => number {
  const timeOf = (at: string) => Date.parse(`${at.slice(0, 19)}Z`)
  const first = timeOf(points[0]?.at ?? '')
  const last = timeOf(points.at(-1)?.at ?? '')
  // Leave space for half of the first bar or dot, and half of the last one.
  const inset = shape === 'bars' ? Math.min(24, width / (points.length + 1) / 2) : 8
  const scale = linearScale([first, last], [left + inset, width - margin.right - inset])
  return (at) => scale(timeOf(at))
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** Returns the time of day, such as `13:00`, or an empty string at midnight. */
function timeOfDay(at: string): string {
  const time = at.slice(11, 16)
  return time === '00:00' ? '' : time
}

/** Formats the local time of a point, such as `2025-02-17` or `2025-02-17 13:00`. */
export function formatPointTime(at: string): string {
  return `${at.slice(0, 10)} ${timeOfDay(at)}`.trim()
}

/** The minimum distance between x-axis labels, in pixels. */
const labelWidth = 96

/** Labels as many x-axis marks as fit. */
function timeTicks(marks: readonly Mark[], { left, width }: Extent): Tick<string>[] {
  const most = Math.max(2, Math.floor((width - left) / labelWidth))
  const every = Math.max(1, Math.ceil(marks.length / most))
  const ticks = marks
    .filter((_, index) => index % every === 0)
    .map(({ at, x }): Tick<string> => {
      const date = dayFormat.format(new Date(`${at.slice(0, 10)}T00:00:00Z`))
      return {
        position: x,
        label: `${date} ${timeOfDay(at)}`.trim(),
        anchor: x > width - labelWidth / 2 ? 'end' : 'middle',
      }
    })
  return withoutOverlaps(ticks)
}

/** The width of the longest label, such as `28 May 13:00`, in pixels. */
const longestLabel = 84

/** Omits ticks whose label would overlap the previous label. Marks are not evenly spaced if hours are missing. */
function withoutOverlaps(ticks: readonly Tick<string>[]): Tick<string>[] {
  let end = Number.NEGATIVE_INFINITY
  return ticks.filter(({ position, anchor }) => {
    const start = position - (anchor === 'end' ? longestLabel : longestLabel / 2)
    if (start < end) return false
    end = start + longestLabel
    return true
  })
}

function barWidthOf(marks: readonly Mark[], width: number): number {
  const distances = marks.slice(1).map(({ x }, index) => x - (marks[index]?.x ?? 0))
  return Math.max(2, Math.min(Math.min(...distances, width) * 0.7, 40))
}

export function nearestMark(marks: readonly Mark[], x: number): number {
  const distances = marks.map((mark) => Math.abs(mark.x - x))
  return distances.indexOf(Math.min(...distances))
}

/** Returns the SVG path through the marks, with a gap at each missing value. */
export function linePath(marks: readonly Mark[]): string {
  return marks
    .map(({ x, y }, index) => {
      if (y === undefined) return ''
      const command = marks[index - 1]?.y === undefined ? 'M' : 'L'
      return `${command}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}

type Interval = readonly [start: number, end: number]

/** Maps a domain linearly to a range. A domain of only one value is mapped to the middle of the range. */
function linearScale(domain: Interval, range: Interval): (value: number) => number {
  const [low, high] = domain
  const [start, end] = range
  if (low === high) return () => (start + end) / 2
  return (value) => start + ((value - low) / (high - low)) * (end - start)
}

/** An axis range whose limits and ticks are round numbers. */
interface NiceRange {
  low: number
  high: number
  ticks: number[]
}

/** Returns a range that includes all values, with about five ticks. */
function niceRange(values: readonly number[]): NiceRange {
  const [low, high] = nonEmptyRange(Math.min(...values), Math.max(...values))
  const step = niceStep((high - low) / 4)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
  return { low: first * step, high: last * step, ticks }
}

function nonEmptyRange(low: number, high: number): Interval {
  if (!Number.isFinite(low) || (low === 0 && high === 0)) return [0, 1]
  if (low < high) return [low, high]
  const padding = Math.abs(low) / 10
  return [low - padding, low + padding]
}

function niceStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  const factor = [1, 2, 2.5, 5].find((candidate) => candidate * power >= step) ?? 10
  return factor * power
}
