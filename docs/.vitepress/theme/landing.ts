import { withBase } from 'vitepress'
import { defineComponent, h } from 'vue'
import { data } from './landing.data.ts'

/** A terminal that shows the page's first program and its output. */
export const HeroTerminal = defineComponent({
  setup: () => () =>
    h(
      'figure',
      { class: 'hero-terminal', 'aria-label': 'The first program of this page and its output' },
      [
        h('figcaption', 'first.ts'),
        h('pre', [
          h('b', '$ node first.ts\n'),
          ...data.output.map((line, place) =>
            h('span', { class: kindOf(line), style: `--place: ${place}` }, `${line}\n`),
          ),
        ]),
      ],
    ),
})

function kindOf(line: string): string {
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
