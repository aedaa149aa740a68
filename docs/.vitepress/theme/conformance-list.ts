import { withBase } from 'vitepress'
import { computed, defineComponent, h, onMounted, ref, shallowRef, type VNode } from 'vue'
import type { ConformanceList as List, ListedSentence } from '../../../scripts/conformance/list.ts'

/** The specification's sentences with their cases, as a list that readers can filter. The page loads the list as data. */
export const ConformanceList = defineComponent({
  setup() {
    const list = shallowRef<List>()
    const filter = ref('')
    const url = withBase('/conformance.json')
    onMounted(async () => {
      list.value = await fetch(url).then((response) => response.json())
    })
    const found = computed(() => (list.value ? findSentences(list.value, filter.value) : []))
    return () =>
      h('div', { class: 'conformance-list' }, [
        h('label', [
          'Filter ',
          h('input', {
            type: 'search',
            value: filter.value,
            placeholder: 'booking_key',
            onInput: ({ target }: { target: HTMLInputElement }) => {
              filter.value = target.value
            },
          }),
        ]),
        h('p', { role: 'status' }, list.value ? `${found.value.length} sentences` : 'Loading …'),
        list.value && sections(found.value, list.value, filter.value !== ''),
        h('p', [h('a', { href: url }, 'The list as JSON')]),
      ])
  },
})

/** Returns the sentences that contain each word of a filter, in their text, their code or their cases. */
function findSentences({ sentences, cases }: List, filter: string): ListedSentence[] {
  const words = filter.toLowerCase().split(/\s+/)
  const textOf = (one: ListedSentence) => {
    const shown = one.cases.map((id) => [id, cases[id]?.title, cases[id]?.conditions])
    return [one.section, one.text, one.reason, one.code, shown].flat(3).join(' ').toLowerCase()
  }
  return sentences.filter((one) => words.every((word) => textOf(one).includes(word)))
}

function sections(found: readonly ListedSentence[], list: List, isOpen: boolean): VNode[] {
  return [...Map.groupBy(found, ({ section }) => section)].map(([section, sentences]) =>
    h('details', { key: section, open: isOpen }, [
      h('summary', [
        `${section} ${list.titles[section]} `,
        h('small', `${sentences.length} sentences`),
      ]),
      h(
        'dl',
        sentences.map((one) => sentence(one, list)),
      ),
    ]),
  )
}

function sentence({ text, cases, reason, code }: ListedSentence, list: List): VNode[] {
  return [
    h('dt', text),
    h('dd', [
      h('ul', [
        ...cases.map((id) => h('li', caseLine(id, list))),
        reason && h('li', `No case: ${reason}`),
        code.length > 0 && h('li', ['Code: ', h('code', code.join(' '))]),
      ]),
    ]),
  ]
}

function caseLine(id: string, { cases }: List): (VNode | string)[] {
  const { title = '', conditions = [] } = cases[id] ?? {}
  const text = conditions.length > 0 ? `${title} (${conditions.join(', ')})` : title
  return [h('code', id), ` ${text}`]
}
