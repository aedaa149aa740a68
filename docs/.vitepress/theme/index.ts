import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import { ApiSidebar } from './api-sidebar.ts'
import './colours.css'
import './layout.css'
import './content.css'
import './diagrams.css'

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'sidebar-nav-after': () => h(ApiSidebar) }),
}

export default theme
