import { defineConfig } from 'vitepress'
import { addFiles } from './files.ts'
import { showBadges } from './markdown/badges.ts'
import { drawBars } from './markdown/bars.ts'
import { readBreaks } from './markdown/breaks.ts'
import { nestChangelog } from './markdown/changelog.ts'
import { showConformanceList } from './markdown/conformance-list.ts'
import { drawDiagrams } from './markdown/diagrams.ts'
import { nestFields } from './markdown/fields.ts'
import { indexCode } from './markdown/index-code.ts'
import { labelCells } from './markdown/labels.ts'
import { resolveLinks } from './markdown/links.ts'
import { wrapNames } from './markdown/names.ts'
import { showPictures } from './markdown/pictures.ts'
import { anchorRows } from './markdown/rows.ts'
import { addRuns } from './markdown/runs.ts'
import { slugify } from './markdown/slugify.ts'
import { showTabs } from './markdown/tabs.ts'
import { showTerminals } from './markdown/terminal.ts'
import { addTypes, markTypes } from './markdown/types.ts'
import { hiddenFiles } from './navigation.ts'
import { addPageData } from './page-data.ts'
import { documentedVersion, manifest, repositoryUrl } from './repository.ts'
import { search, searchBox } from './search.ts'
import { groupButtons, sidebar, topLinks } from './sidebar.ts'

/** The site's path on its host, with a slash at both ends. */
const base = process.env['DOCS_BASE'] ?? '/'

export default defineConfig({
  title: 'health-lab-sdk',
  description: manifest.description,
  lang: 'en',
  base,
  outDir: '../site',
  srcExclude: hiddenFiles,
  // Store the list of all pages in its own file instead of in each page.
  metaChunk: true,
  lastUpdated: true,
  head: [
    ['link', { rel: 'icon', href: `${base}favicon.svg`, type: 'image/svg+xml' }],
    ['meta', { name: 'theme-color', content: '#1f6f78' }],
  ],
  markdown: {
    // The specification contains `<name>`, and braces at the end of a line.
    html: false,
    attrs: { disable: true },
    // These themes have enough contrast on the grey background of code blocks.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    anchor: { slugify },
    codeTransformers: [markTypes],
    config(md) {
      readBreaks(md)
      resolveLinks(md)
      showBadges(md)
      anchorRows(md)
      labelCells(md)
      nestFields(md)
      wrapNames(md)
      addTypes(md)
      addRuns(md)
      drawDiagrams(md)
      drawBars(md)
      showTerminals(md)
      showConformanceList(md)
      showPictures(md)
      showTabs(md)
      nestChangelog(md)
      indexCode(md)
    },
  },
  themeConfig: {
    logo: '/favicon.svg',
    version: documentedVersion,
    nav: topLinks,
    sidebar,
    search,
    outline: [2, 3],
    externalLinkIcon: true,
    // A date that readers in all countries understand.
    lastUpdated: { formatOptions: { dateStyle: 'long', forceLocale: true } },
    footer: { message: 'MIT license' },
    ...(repositoryUrl
      ? {
          editLink: { pattern: `${repositoryUrl}/edit/main/docs/:path`, text: 'Edit this page' },
          socialLinks: [{ icon: 'github', link: repositoryUrl }],
        }
      : {}),
  },
  // The search index is large and loaded on demand.
  vite: { build: { chunkSizeWarningLimit: 4000 }, plugins: [groupButtons, searchBox] },
  transformPageData: addPageData,
  buildEnd: addFiles,
})
