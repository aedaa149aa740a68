import { existsSync, readFileSync } from 'node:fs'
import type { DefaultTheme, Plugin } from 'vitepress'
import { addBreaks } from './markdown/names.ts'
import { type NavigationGroup, type NavigationPage, navigation } from './navigation.ts'
import type { SidebarPage } from './reference/join.ts'

/** The sidebars: one for all pages, and one for the API reference, which shows the modules. */
export const sidebar: DefaultTheme.SidebarMulti = {
  '/': navigation.map(groupItem),
  '/reference/api/': [
    { text: '← Reference', link: '/reference/configuration' },
    {
      text: 'API reference',
      link: '/reference/api/',
      items: Object.entries(apiPages()).map(moduleItem),
    },
  ],
}

/** The links at the top, few enough for a tablet. */
export const topLinks: DefaultTheme.NavItem[] = [
  ...navigation.filter(({ title }) => !['Operations', 'Trust'].includes(title)).map(topLink),
  { text: 'API', link: '/reference/api/', activeMatch: '^/reference/api/' },
  { text: 'Trust', items: linksOf('Trust'), activeMatch: '^/trust/' },
]

function groupItem({ title, pages, parts }: NavigationGroup): DefaultTheme.SidebarItem {
  const items = parts?.map(groupItem) ?? pages.map(pageItem)
  return { text: title, collapsed: title === 'Operations', items }
}

/**
 * Makes the heading of a group one button that announces its state. In VitePress, a heading without a link is a button
 * that contains another button, which does nothing.
 */
export const groupButtons: Plugin = {
  name: 'group-buttons',
  enforce: 'pre',
  transform(code, id) {
    if (!/VPSidebarItem\.vue$/.test(id)) return undefined
    const changes: [from: string, to: string][] = [
      [':role="itemRole"', ':role="itemRole" :aria-expanded="isLink ? undefined : !collapsed"'],
      ['role="button"\n', `:role="isLink ? 'button' : undefined"\n`],
      ['aria-label="toggle section"', `:aria-label="isLink ? 'toggle section' : undefined"`],
      ['tabindex="0"\n', ':tabindex="isLink ? 0 : undefined"\n'],
    ]
    return changes.reduce((changed, [from, to]) => {
      if (!changed.includes(from))
        throw new Error('The sidebar of this VitePress differs: see groupButtons.')
      return changed.replace(from, to)
    }, code)
  },
}

/** Returns the links to the pages of a group. */
function linksOf(title: string): DefaultTheme.NavItemWithLink[] {
  return navigation.find((group) => group.title === title)?.pages.map(pageItem) ?? []
}

function pageItem({ title, path }: NavigationPage): DefaultTheme.NavItemWithLink {
  return { text: addBreaks(title), link: linkOf(path) }
}

function topLink({ title, pages }: NavigationGroup): DefaultTheme.NavItemWithLink {
  const path = pages[0]?.path ?? ''
  const folder = path.split('/')[0]
  const isReference = folder === 'reference'
  return {
    text: title.replace('Get started', 'Start'),
    link: linkOf(path),
    activeMatch: isReference ? '^/reference/(?!api/)' : `^/${folder}/`,
  }
}

/** Returns the pages of the API reference by module. They are written before the site is built. */
function apiPages(): Record<string, SidebarPage[]> {
  const file = 'docs/reference/api/sidebar.json'
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

function moduleItem(
  [name, pages]: [string, SidebarPage[]],
  _: number,
  modules: readonly [string, SidebarPage[]][],
): DefaultTheme.SidebarItem {
  const [[, first = ''] = []] = pages
  const link = `/reference/api/${first.replace(/[^/]*$/, '')}`
  // The whole name of most modules is wider than the sidebar.
  const text = name.replace(/^health-lab-sdk(?=\/)/, '')
  if (pages.length < 2) return { text, link }
  const others = modules.filter(([other]) => other !== name).flatMap(([, found]) => found)
  const items = pages.map(([title, path]) => {
    const isRepeated = others.some(([other]) => other === title)
    const entry = name.split('/').slice(1).join('/')
    return {
      text: isRepeated && entry ? `${title} (${entry})` : title,
      link: `/reference/api/${path}`,
    }
  })
  return { text, link, collapsed: true, items }
}

function linkOf(path: string): string {
  return `/${path.replace(/(?<=^|\/)index$/, '')}`
}
