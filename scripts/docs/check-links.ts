import { existsSync } from 'node:fs'
import { LinkChecker, LinkState } from 'linkinator'

/** Checks every link and anchor in the reference site, except links to other sites. */
if (!existsSync('site/index.html')) {
  console.error('The site does not exist. Build it first: npm run build && npm run docs')
  process.exit(1)
}
const { links } = await new LinkChecker().check({
  path: './site',
  recurse: true,
  checkFragments: true,
  linksToSkip: ['^https?://(?!127\\.0\\.0\\.1|localhost)'],
})
const broken = links.filter(({ state }) => state === LinkState.BROKEN)
for (const { url, parent } of broken) console.error(`${parent} has a broken link: ${url}`)
const checked = links.filter(({ state }) => state === LinkState.OK).length
console.log(`${checked} links work, ${broken.length} are broken.`)
// The site has hundreds of links; fewer mean that the check did not reach all pages.
process.exitCode = broken.length > 0 || checked < 200 ? 1 : 0
