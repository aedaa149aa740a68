import type { DefaultTheme } from 'vitepress'
import { type NavigationGroup, navigation } from './navigation.ts'
import { modules } from './reference/module-list.ts'

/** The sidebars: of all pages, and of the API reference, which shows the modules. */
export const sidebar: DefaultTheme.SidebarMulti = {
  '/': navigation.map(groupItem),
  '/reference/api/': [
    {
      text: 'API reference',
      link: '/reference/api/',
      items: Object.entries(modules).map(moduleItem),
    },
  ],
}

/** The links at the top: the first page of each group. */
export const topLinks: DefaultTheme.NavItem[] = [
  ...navigation.map(topLink),
  { text: 'API', link: '/reference/api/', activeMatch: '^/reference/api/' },
]

function groupItem({ title, pages }: NavigationGroup): DefaultTheme.SidebarItem {
  return {
    text: title,
    collapsed: false,
    items: pages.map(({ title, path }) => ({ text: title, link: linkOf(path) })),
  }
}

function topLink({ title, pages }: NavigationGroup): DefaultTheme.NavItemWithLink {
  const path = pages[0]?.path ?? ''
  const folder = path.split('/')[0]
  const isReference = folder === 'reference'
  return {
    text: title,
    link: linkOf(path),
    activeMatch: isReference ? '^/reference/(?!api/)' : `^/${folder}/`,
  }
}

function moduleItem([path, { name }]: [string, { name: string }]): DefaultTheme.SidebarItem {
  return { text: name, link: `/reference/api/${path}/` }
}

function linkOf(path: string): string {
  return `/${path.replace(/(?<=^|\/)index$/, '')}`
}
