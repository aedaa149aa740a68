import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fitBars, limitBar, renderBar } from '../../docs/.vitepress/markdown/bars.ts'

const row = (found: string, verdict: string) => `| A call | ${found} | at most 1.2 | ${verdict} |`

it('fills the share of the limit that a benchmark needs', () => {
  const bar = limitBar('A call', row('0.60', 'within'))
  expect(bar).toMatchObject({ start: 0, end: 50, limit: 100, isExceeded: false })
  expect(bar.text).toBe('0.60, at most 1.2')
  expect(renderBar(bar, String)).toContain('class="track"')
})

it('shows a bar that exceeds its limit in red, with words', () => {
  const bar = limitBar('A call', row('1.44', 'OUTSIDE'))
  expect(bar).toMatchObject({ end: 120, text: '1.44, exceeds 1.2', isExceeded: true })
  expect(renderBar(bar, String)).toContain('class="track exceeded"')
  const styles = readFileSync('docs/.vitepress/theme/diagrams.css', 'utf8')
  expect(styles).toMatch(/\.exceeded > span \{\s*background-color: var\(--vp-c-danger-3\)/)
})

it('shows by how much a bar exceeds its limit', () => {
  const bars = [row('0.60', 'within'), row('2.40', 'OUTSIDE')].map((one) => limitBar('A call', one))
  expect(fitBars(bars)).toMatchObject([
    { end: 25, limit: 50 },
    { end: 100, limit: 50 },
  ])
  expect(fitBars(bars).map((bar) => renderBar(bar, String))).toEqual(
    bars.map(() => expect.stringContaining('<i style="left: 50%"></i>')),
  )
})

it('fails if the benchmarks have no such row', () => {
  expect(() => limitBar('Another call', row('1.00', 'within'))).toThrow('Another call')
})
