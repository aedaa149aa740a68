import { execFileSync } from 'node:child_process'
import type { Figure } from '../../bench/figure.ts'
import { atMost } from './budget.ts'

const imports = { ky: "import('ky')", client: "import('health-lab-sdk')" }

/**
 * Compares the CPU time of a first import of the client and of ky. New processes alternate, and the fastest round of
 * each is used.
 */
export function coldImport(consumer: string, rounds = 25): Figure {
  const best = { ky: Number.POSITIVE_INFINITY, client: Number.POSITIVE_INFINITY }
  const names = Object.keys(best) as (keyof typeof best)[]
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) best[name] = Math.min(best[name], cpuOf(consumer, imports[name]))
  }
  return atMost('Importing the client / importing ky', best.client / best.ky, 1.3)
}

function cpuOf(consumer: string, module: string): number {
  const program = `const before = process.cpuUsage()
await ${module}
const { user, system } = process.cpuUsage(before)
console.log(user + system)`
  const parts = ['--input-type=module', '--eval', program]
  return Number(execFileSync(process.execPath, parts, { cwd: consumer, encoding: 'utf8' }))
}
