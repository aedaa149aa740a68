import { execFileSync } from 'node:child_process'

/** Where Debian's Chromium is; undefined where there is none. */
export const chromium = find()

/** Why tests in a browser are skipped. */
export const withoutChromium = 'there is no chromium: apt-get install -y chromium'

function find(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim()
  } catch {
    console.warn(`Skipped: ${withoutChromium}`)
    return undefined
  }
}
