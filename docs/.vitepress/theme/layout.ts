import { useData, useRoute, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h, nextTick, onMounted, ref, watch } from 'vue'
import { scrollWithin } from '../../../mock/inspector/scroll-within.ts'
import { HeroTerminal, Proofs } from './landing.ts'
import { NotFound } from './not-found.ts'
import { showTabs } from './tabs.ts'

/** VitePress's layout, with additions for the landing page, documentation pages and unknown addresses. */
export const Layout = defineComponent({
  setup() {
    const route = useRoute()
    onMounted(() => watch(() => route.path, completePage, { immediate: true, flush: 'post' }))
    return () =>
      h(DefaultTheme.Layout, null, {
        'home-hero-image': () => h(HeroTerminal),
        'home-hero-after': () => h(Proofs),
        'doc-before': () => h(PageBar, { key: route.path }),
        'not-found': () => h(NotFound),
      })
  },
})

/** The package version, and a button that copies the page as Markdown. */
const PageBar = defineComponent({
  setup() {
    const { page, theme } = useData()
    const label = ref('Copy as Markdown')
    const copy = async () => {
      const response = await fetch(withBase(`/${page.value.relativePath}`))
      await navigator.clipboard.writeText(await response.text())
      label.value = 'Copied'
    }
    return () =>
      h('nav', { class: 'page-bar', 'aria-label': 'This page' }, [
        h('a', { href: withBase('/trust/migration.html#changelog') }, [
          `Version ${theme.value['version']}`,
        ]),
        h('button', { type: 'button', onClick: copy }, label.value),
      ])
  },
})

async function completePage(): Promise<void> {
  markMain()
  shortenKeyboardPath()
  showTabs()
  // The sidebar marks the first page only after it is mounted.
  await nextTick()
  const sidebar = document.querySelector('.VPSidebar')
  const current = sidebar?.querySelector('.VPSidebarItem.is-active.is-link')
  // Keep the pages before and after the current one visible.
  if (sidebar && current) scrollWithin(sidebar, current, 64)
}

/** Makes the link "Skip to content" skip the outline and the hero, and removes heading anchors from the tab order. */
function shortenKeyboardPath(): void {
  const content = document.querySelector('.vp-doc')
  if (content) content.id = 'content'
  document.querySelector('.VPSkipLink')?.setAttribute('href', '#content')
  for (const anchor of document.querySelectorAll<HTMLElement>('.header-anchor'))
    anchor.tabIndex = -1
}

/** VitePress's landing page has no landmark for its content. */
function markMain(): void {
  const content = document.getElementById('VPContent')
  if (content?.querySelector('main')) content.removeAttribute('role')
  else content?.setAttribute('role', 'main')
}
