import { execFileSync } from 'node:child_process'

/** Why tests in a browser are skipped without Chromium. */
export const withoutChromium = 'Chromium is not installed (apt-get install -y chromium)'

/** The path of Debian's Chromium; undefined if it is not installed. */
export const chromium = find()

function find(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim()
  } catch {
    console.warn(`Skipped: ${withoutChromium}`)
    return undefined
  }
}
