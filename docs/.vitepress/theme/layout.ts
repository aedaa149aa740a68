import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h, onMounted, watch } from 'vue'
import { ApiSidebar } from './api-sidebar.ts'

/** The layout of VitePress, with the exports of a module in the sidebar of the reference. */
export const Layout = defineComponent({
  setup() {
    const route = useRoute()
    onMounted(() => watch(() => route.path, completePage, { immediate: true, flush: 'post' }))
    return () => h(DefaultTheme.Layout, null, { 'sidebar-nav-after': () => h(ApiSidebar) })
  },
})

function completePage(): void {
  markMain()
  document.querySelector('.VPSidebarItem.is-active.level-1')?.scrollIntoView({ block: 'nearest' })
}

/** The landing page of VitePress has no landmark for its content. */
function markMain(): void {
  const content = document.getElementById('VPContent')
  if (content?.querySelector('main')) content.removeAttribute('role')
  else content?.setAttribute('role', 'main')
}
