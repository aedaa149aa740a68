import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkKeyboard } from './checks/keyboard.ts'
import { checkLinks } from './checks/links.ts'
import { checkNotFound } from './checks/not-found.ts'
import { checkPages } from './checks/pages.ts'
import { checkRuns } from './checks/runs.ts'
import { checkSandbox } from './checks/sandbox.ts'
import { checkSearch } from './checks/search.ts'

/**
 * Checks the built site: links and anchors, the search, and pages in Chromium. `npm run docs:check`, or
 * `npm run docs:check -- search` for some checks. Exits with 1 if there is a finding.
 */
const checks = {
  links: checkLinks,
  search: checkSearch,
  pages: checkPages,
  notFound: checkNotFound,
  keyboard: checkKeyboard,
  runs: checkRuns,
  sandbox: checkSandbox,
}

const { positionals } = parseArgs({ allowPositionals: true })
if (!existsSync('site/index.html')) {
  console.error('The site does not exist. Build it first: npm run build && npm run docs')
  process.exit(1)
}
for (const [name, check] of Object.entries(checks)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const findings = await check()
  for (const finding of findings) console.error(finding)
  console.log(`${name}: ${findings.length === 0 ? 'no findings' : `${findings.length} findings`}`)
  if (findings.length > 0) process.exitCode = 1
}
