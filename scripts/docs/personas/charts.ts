import { mkdirSync, writeFileSync } from 'node:fs'
import { personas } from '../../../mock/living/person/personas.ts'
import { type ChartDay, chartDays, dayCount } from './days.ts'

const folder = 'docs/public/pictures'

const palettes = {
  light: {
    text: '#56565f',
    line: '#d8d8de',
    sleep: '#1f7a84',
    heart: '#b3432b',
    steps: '#7d6a1c',
    glucose: '#6d4fa3',
  },
  dark: {
    text: '#a9a9b4',
    line: '#3c3f46',
    sleep: '#5fbcc4',
    heart: '#f08d74',
    steps: '#d6bd5a',
    glucose: '#b39be0',
  },
} as const
type Palette = Readonly<Record<keyof (typeof palettes)['light'], string>>

/** All charts have the same scales, so that they can be compared. */
interface Scale {
  title: string
  top: number
  height: number
  /** The values at the bottom and the top. */
  bottom: number
  highest: number
  /** The values with a line, and how their labels are written. */
  lines: readonly number[]
  write: (value: number) => string
}

/** Narrow enough that labels have 10 px on a phone. */
const width = 480
const margin = 10
const left = 68
const column = (width - left - margin) / dayCount
const clock = (hour: number) => `${String((hour + 24) % 24).padStart(2, '0')}:00`
const scales = {
  sleep: {
    title: 'Sleep',
    top: 32,
    height: 150,
    bottom: 18,
    highest: -6,
    lines: [-6, 0, 6, 12, 18],
    write: clock,
  },
  heart: {
    title: 'Resting heart rate, beats per minute',
    top: 218,
    height: 70,
    bottom: 40,
    highest: 80,
    lines: [40, 60, 80],
    write: String,
  },
  steps: {
    title: 'Steps per day',
    top: 324,
    height: 70,
    bottom: 0,
    highest: 24_000,
    lines: [0, 10_000, 20_000],
    write: (value) => value.toLocaleString('en'),
  },
  glucose: {
    title: 'Glucose, mmol/L',
    top: 430,
    height: 70,
    bottom: 2,
    highest: 18,
    lines: [4, 10, 16],
    write: String,
  },
} as const satisfies Readonly<Record<string, Scale>>
const height = 536

/** Draws two weeks of each persona, in the colours of light and dark pages. */
export function drawPersonas(): void {
  mkdirSync(folder, { recursive: true })
  for (const persona of Object.values(personas)) {
    const days = chartDays(persona)
    for (const [colours, palette] of Object.entries(palettes)) {
      writeFileSync(`${folder}/persona-${persona.name}-${colours}.svg`, drawChart(days, palette))
    }
  }
}

function drawChart(days: readonly ChartDay[], palette: Palette): string {
  const parts = [
    ...Object.values(scales).map((scale) => drawScale(scale, palette)),
    ...days.map((_, at) =>
      drawText(middle(at), height - 12, 'middle', 'MTWTFSS'[at % 7] ?? '', palette.text),
    ),
    ...days.flatMap((day, at) => drawDay(day, at, palette)),
    drawLine(days, palette),
  ]
  const font = 'font-family="system-ui, sans-serif" font-size="15"'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${font}>\n${parts.join('\n')}\n</svg>\n`
}

function drawScale(
  { title, top, height: tall, lines, write, ...scale }: Scale,
  palette: Palette,
): string {
  const marks = lines.map((value) => {
    const y = yOf({ title, top, height: tall, lines, write, ...scale }, value)
    const rule = `<path d="M${left} ${y}H${width - margin}" stroke="${palette.line}"/>`
    return rule + drawText(left - 8, y + 5, 'end', write(value), palette.text)
  })
  return drawText(margin, top - 12, 'start', title, palette.text) + marks.join('')
}

function drawDay({ asleep, steps, glucose }: ChartDay, at: number, palette: Palette): string[] {
  return [
    ...asleep.map(({ start, end, isNap }) =>
      drawBar(at, scales.sleep, start, end, palette.sleep, isNap ? 0.55 : 1),
    ),
    drawBar(at, scales.steps, steps, 0, palette.steps),
    drawBar(at, scales.glucose, glucose.highest, glucose.lowest, palette.glucose),
  ]
}

function drawLine(days: readonly ChartDay[], { heart }: Palette): string {
  const points = days.map((day, at) => `${middle(at)},${yOf(scales.heart, day.restingHeartRate)}`)
  return `<polyline points="${points.join(' ')}" fill="none" stroke="${heart}" stroke-width="2"/>`
}

function drawBar(
  at: number,
  scale: Scale,
  from: number,
  to: number,
  colour: string,
  opacity = 1,
): string {
  const [y, end] = [yOf(scale, from), yOf(scale, to)]
  const place = `x="${round(middle(at) - column * 0.3)}" y="${y}" width="${round(column * 0.6)}" height="${round(end - y)}"`
  return `<rect ${place} fill="${colour}" opacity="${opacity}"/>`
}

function drawText(x: number, y: number, anchor: string, text: string, colour: string): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}">${text}</text>`
}

function middle(at: number): number {
  return round(left + (at + 0.5) * column)
}

function yOf({ top, height: tall, bottom, highest }: Scale, value: number): number {
  const part = (value - bottom) / (highest - bottom)
  return round(top + tall * (1 - Math.min(1, Math.max(0, part))))
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
