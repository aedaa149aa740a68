import { readFileSync } from 'node:fs'
import type { MarkdownRenderer } from 'vitepress'

/** A bar from `start` to `end` on an axis of 0 to 100 percent. */
interface Bar {
  label: string
  start: number
  end: number
  /** What the bar shows, in words. This is also the text alternative. */
  text: string
  /** The place of the limit, which is marked. Default: no limit. */
  limit?: number
  /** Whether the value exceeds its limit. Default: false. */
  isExceeded?: boolean
}

/**
 * Draws `bars` blocks, with one bar per line: `Second attempt | 40-70 | timeout`. A `limits` block lists rows of the
 * benchmarks, which are shown as shares of their limits. A line marks the limits, and bars may exceed it.
 */
export function drawBars(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, place, options, env, self) => {
    const { info = '', content = '' } = tokens[place] ?? {}
    const read = { bars: readBar, limits: readLimit }[info.trim()]
    if (!read) return fence?.(tokens, place, options, env, self) ?? ''
    const rows = fitBars(content.trim().split('\n').map(read))
    const items = rows.map((bar) => renderBar(bar, (text) => md.renderInline(text)))
    return `<ul class="bars">${items.join('')}</ul>\n`
  }
}

/** Shortens all bars by the same factor if one is longer than the axis. */
export function fitBars(bars: readonly Bar[]): Bar[] {
  const factor = 100 / Math.max(100, ...bars.map(({ end }) => end))
  return bars.map((bar) => ({
    ...bar,
    start: bar.start * factor,
    end: bar.end * factor,
    ...(bar.limit === undefined ? {} : { limit: bar.limit * factor }),
  }))
}

/** Returns the HTML of a bar. Bars that exceed their limits have a different colour. */
export function renderBar(
  { label, start, end, text, limit, isExceeded }: Bar,
  toHtml: (text: string) => string,
): string {
  const style = `left: ${start}%; width: ${Math.max(1, end - start)}%`
  const kind = isExceeded ? ' exceeded' : ''
  const mark = limit === undefined ? '' : `<i style="left: ${limit}%"></i>`
  const track = `<span class="track${kind}" aria-hidden="true"><span style="${style}"></span>${mark}</span>`
  return `<li><b>${toHtml(label)}</b>${track}<span>${toHtml(text)}</span></li>`
}

function readBar(line: string): Bar {
  const [, label = '', start, end, text = ''] =
    /^(.+) \| ([\d.]+)-([\d.]+) \| (.+)$/.exec(line) ?? []
  if (!text) throw new Error(`A bar must be "label | start-end | text": ${line}`)
  return { label, start: Number(start), end: Number(end), text }
}

function readLimit(label: string): Bar {
  return limitBar(label, readFileSync('docs/trust/measurements/benchmarks.md', 'utf8'))
}

/** Returns the bar for the row of the benchmarks whose first cell is `label`. */
export function limitBar(label: string, page: string): Bar {
  const row = page.split('\n').find((line) => line.startsWith(`| ${label} | `))
  const [, found, limit] = /\| ([\d.]+) \| at most ([\d.]+)/.exec(row ?? '') ?? []
  if (!found || !limit) throw new Error(`The benchmarks have no ratio with a limit: ${label}`)
  const end = (100 * Number(found)) / Number(limit)
  const isExceeded = row?.includes('| OUTSIDE |') ?? false
  const text = `${found}, ${isExceeded ? 'exceeds' : 'at most'} ${limit}`
  return { label, start: 0, end, limit: 100, text, isExceeded }
}
