import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { ConformanceList } from './conformance-list.ts'
import { Layout } from './layout.ts'
import { enableRuns } from './run/index.ts'
import { returnFocus } from './search-focus.ts'
import { enableShowAll } from './show-all.ts'
import { enableTabs } from './tabs.ts'
import { showTypes } from './types.ts'
import './colours.css'
import './layout.css'
import './landing.css'
import './content.css'
import './diagrams.css'
import './conformance-list.css'
import './tabs.css'
import './types.css'
import './not-found.css'
import './run/run.css'

const theme: Theme = {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component('ConformanceList', ConformanceList)
    if (import.meta.env.SSR) return
    returnFocus()
    showTypes()
    enableRuns()
    enableTabs()
    enableShowAll()
  },
}

export default theme
