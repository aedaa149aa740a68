import { useRoute, withBase } from 'vitepress'
import { defineComponent, h, onMounted, ref, type VNode } from 'vue'

interface Category {
  title: string
  /** Names and links without the extension. */
  items: [string, string][]
}

type Modules = Record<string, Category[]>

/** Shows the exports of the current module below the sidebar of the reference. They are loaded with its first page. */
export const ApiSidebar = defineComponent({
  setup() {
    const route = useRoute()
    const modules = ref<Modules>({})
    onMounted(async () => {
      const response = await fetch(withBase('/api-sidebar.json'))
      if (response.ok) modules.value = await response.json()
    })
    return () => {
      const page = route.path.replace(/\.html$/, '')
      return categoriesOf(modules.value, page).map((category) => section(category, page))
    }
  },
})

/** Returns the categories of the module with the longest matching path. */
function categoriesOf(modules: Modules, page: string): Category[] {
  const paths = Object.keys(modules).filter((path) => page.startsWith(withBase(path)))
  const [path = ''] = paths.toSorted((one, other) => other.length - one.length)
  return modules[path] ?? []
}

function section({ title, items }: Category, page: string): VNode {
  const isCurrent = items.some(([, link]) => withBase(link) === page)
  return h('details', { class: 'api-category', open: isCurrent, key: title }, [
    h('summary', title),
    h(
      'ul',
      items.map(([name, link]) => h('li', { key: name }, item(name, link, page))),
    ),
  ])
}

function item(name: string, link: string, page: string): VNode {
  const current = withBase(link) === page ? 'page' : undefined
  return h('a', { href: withBase(`${link}.html`), 'aria-current': current }, name)
}
