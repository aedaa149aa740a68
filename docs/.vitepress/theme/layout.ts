import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h, onMounted, watch } from 'vue'
import { scrollWithin } from '../../../mock/inspector/scroll-within.ts'
import { HeroTerminal, Proofs } from './landing.ts'
import { showTabs } from './tabs.ts'

/** The layout of VitePress, completed for each page. */
export const Layout = defineComponent({
  setup() {
    const route = useRoute()
    onMounted(() => watch(() => route.path, completePage, { immediate: true, flush: 'post' }))
    return () =>
      h(DefaultTheme.Layout, null, {
        'home-hero-image': () => h(HeroTerminal),
        'home-hero-after': () => h(Proofs),
      })
  },
})

function completePage(): void {
  markMain()
  showTabs()
  const sidebar = document.querySelector('.VPSidebar')
  const current = sidebar?.querySelector('.VPSidebarItem.is-active.level-1')
  // The page before and after the current one stays visible.
  if (sidebar && current) scrollWithin(sidebar, current, 64)
}

/** The landing page of VitePress has no landmark for its content. */
function markMain(): void {
  const content = document.getElementById('VPContent')
  if (content?.querySelector('main')) content.removeAttribute('role')
  else content?.setAttribute('role', 'main')
}
