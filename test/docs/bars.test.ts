import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { limitBar, markCompared, renderBar } from '../../docs/.vitepress/markdown/bars.ts'

const row = (found: string, verdict: string) => `| A call | ${found} | at most 1.2 | ${verdict} |`

it('fills the share of the limit that a benchmark needs', () => {
  const bar = limitBar('A call', row('0.60', 'within'))
  expect(bar).toMatchObject({ start: 0, end: 50, text: '0.60, at most 1.2', isExceeded: false })
  expect(renderBar(bar, String)).toContain('class="track"')
})

it('shows a bar that exceeds its limit in red, with words', () => {
  const bar = limitBar('A call', row('1.44', 'OUTSIDE'))
  expect(bar).toMatchObject({ end: 100, text: '1.44, exceeds 1.2', isExceeded: true })
  expect(renderBar(bar, String)).toContain('class="track exceeded"')
  const styles = readFileSync('docs/.vitepress/theme/diagrams.css', 'utf8')
  expect(styles).toMatch(/\.exceeded > span \{\s*background-color: var\(--vp-c-danger-3\)/)
})

it('shows the bars of other packages in a different colour', () => {
  const bar = (label: string) => ({ label, start: 0, end: 50, text: '1.00' })
  const classes = (...labels: string[]) =>
    markCompared(labels.map(bar)).map((one) => /track[\w ]*/.exec(renderBar(one, String))?.[0])
  expect(classes('health-lab-sdk', 'ky')).toEqual(['track', 'track compared'])
  expect(classes('First attempt', 'Wait')).toEqual(['track', 'track'])
})

it('fails if the benchmarks have no such row', () => {
  expect(() => limitBar('Another call', row('1.00', 'within'))).toThrow('Another call')
})
