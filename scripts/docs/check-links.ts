import { existsSync } from 'node:fs'
import { LinkChecker, LinkState } from 'linkinator'

/** Checks every internal link and anchor of the reference site. External links are skipped. */
if (!existsSync('site/index.html')) {
  console.error('The reference site is missing. Build it with: npm run build && npm run docs')
  process.exit(1)
}
const { links } = await new LinkChecker().check({
  path: './site',
  recurse: true,
  checkFragments: true,
  linksToSkip: ['^https?://(?!127\\.0\\.0\\.1|localhost)'],
})
const broken = links.filter(({ state }) => state === LinkState.BROKEN)
for (const { url, parent } of broken) console.error(`${parent} has a broken link to ${url}.`)
const checked = links.filter(({ state }) => state === LinkState.OK).length
console.log(`${checked} valid links, ${broken.length} broken links.`)
// The site has hundreds of links. Fewer mean that the check did not reach all pages.
process.exitCode = broken.length > 0 || checked < 200 ? 1 : 0
