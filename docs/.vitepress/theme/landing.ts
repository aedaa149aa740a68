import { withBase } from 'vitepress'
import { defineComponent, h } from 'vue'
import { data } from './landing.data.ts'

/** A terminal that shows the output of the page's first program, with notes. */
export const HeroTerminal = defineComponent({
  setup: () => () =>
    h(
      'figure',
      {
        class: 'hero-terminal',
        'aria-label': 'The output of the first program on this page, with notes',
      },
      [
        h('figcaption', 'booking.ts'),
        h('pre', [
          h('b', '$ node booking.ts\n'),
          ...withNotes(data.output).map((line) => h('span', { class: kindOf(line) }, `${line}\n`)),
        ]),
      ],
    ),
})

/** Adds a note above each line that shows something new. */
function withNotes(lines: readonly string[]): string[] {
  const notes: [end: string, note: string][] = [
    ['404', '# No appointment yet'],
    ['lost', '# The booking response gets lost'],
    ['200', '# Check instead of booking again'],
    ['Z', '# Booked exactly once'],
  ]
  return lines.flatMap((line) => {
    const place = notes.findIndex(([end]) => line.endsWith(end))
    return place < 0 ? [line] : [...notes.splice(place, 1).map(([, note]) => note), line]
  })
}

function kindOf(line: string): string {
  if (line.startsWith('#')) return 'note'
  if (line.endsWith('lost')) return 'lost'
  return line.startsWith('booked') ? 'booked' : 'line'
}

/** Three figures, with links to their measurements. */
export const Proofs = defineComponent({
  setup: () => () =>
    h(
      'div',
      { class: 'proofs' },
      data.proofs.map(({ figure, text, link }) =>
        h('a', { href: withBase(link.replace(/(#|$)/, '.html$1')), key: link }, [
          h('b', figure),
          ` ${text}`,
        ]),
      ),
    ),
})
