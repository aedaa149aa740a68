import { expect, it } from 'vitest'
import { minimumWidth, widenNotes } from '../../docs/.vitepress/markdown/diagrams.ts'

it('keeps the smallest text of a diagram at 10 px', () => {
  const svg = '<svg width="110"><text font-size="13">Service</text><text font-size="11">200</text>'
  expect(minimumWidth(svg)).toBe(100)
})

it('adds space beside the text of a note', () => {
  const note = (from: number, to: number) =>
    `<g class="note"><polygon points="${from},5 ${to},5 ${to},20 ${from},20"/><text x="50">5 minutes</text></g>`
  expect(widenNotes(note(20, 80))).toBe(note(10, 90))
  expect(widenNotes('<polygon points="20,5 80,5"/>')).toBe('<polygon points="20,5 80,5"/>')
})
