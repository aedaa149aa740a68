import { withBase } from 'vitepress'
import { defineComponent, h, onMounted, ref } from 'vue'
import { wordsOf } from './address-words.ts'

/** The most used pages: title, path and description. */
const pages = [
  ['Quickstart', '/start/quickstart', 'Call the mock, and then the real service.'],
  ['Order a lab test', '/tasks/order-lab-test', 'Order, book a visit, and read the result.'],
  ['Test with the mock', '/testing/overview', 'Write your first test.'],
  ['All operations', '/reference/operations', 'Find a method and its parameters.'],
  ['Errors', '/reference/errors', 'Look up what an error code means.'],
  ['Troubleshooting', '/guides/troubleshooting', 'Find a problem and its fix.'],
] as const

/** The page for an unknown address: a search for the words of the address, and links to the most used pages. */
export const NotFound = defineComponent({
  setup() {
    const words = ref('')
    onMounted(() => {
      words.value = wordsOf(location.pathname)
    })
    return () =>
      h('main', { class: 'not-found', id: 'content' }, [
        h('p', { class: 'not-found-code' }, '404'),
        h('h1', 'This page does not exist'),
        h('p', 'The page may have moved, or the address may contain a typo.'),
        h('div', { class: 'not-found-actions' }, [
          h(
            'button',
            { type: 'button', onClick: () => openSearch(words.value) },
            words.value ? `Search for “${words.value}”` : 'Search',
          ),
          h('a', { href: withBase('/') }, 'Landing page'),
        ]),
        h('h2', 'Most used pages'),
        h(
          'ul',
          pages.map(([title, path, text]) =>
            h('li', [h('a', { href: withBase(`${path}.html`) }, [h('b', title), h('span', text)])]),
          ),
        ),
      ])
  },
})

/** Opens VitePress's search box, which reads its words from the session. */
function openSearch(words: string): void {
  sessionStorage.setItem('vitepress:local-search-filter', words)
  document.querySelector<HTMLElement>('.VPNavBarSearch button')?.click()
}
