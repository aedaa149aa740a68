import { existsSync } from 'node:fs'
import { LinkChecker, LinkState } from 'linkinator'

/** Checks every link and anchor inside the reference site; what leads out of it is not asked for. */
if (!existsSync('site/index.html')) {
  console.error('There is no site to check. Make it: npm run build && npm run docs')
  process.exit(1)
}
const { links } = await new LinkChecker().check({
  path: './site',
  recurse: true,
  checkFragments: true,
  linksToSkip: ['^https?://(?!127\\.0\\.0\\.1|localhost)'],
})
const broken = links.filter(({ state }) => state === LinkState.BROKEN)
for (const { url, parent } of broken)
  console.error(`${parent} has a link to ${url}, which is not there.`)
const checked = links.filter(({ state }) => state === LinkState.OK).length
console.log(`${checked} links lead somewhere, ${broken.length} nowhere.`)
// The site has hundreds; fewer mean that it was not walked.
process.exitCode = broken.length > 0 || checked < 200 ? 1 : 0
