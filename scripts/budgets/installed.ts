import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from '../../bench/figure.ts'
import { atMost } from './budget.ts'

/** `consumer` contains only the package and its dependencies. */
export function installed(consumer: string, unpackedSize: number): Figure[] {
  const { packages } = JSON.parse(readFileSync(join(consumer, 'package-lock.json'), 'utf8'))
  const ours = 'node_modules/health-lab-sdk'
  const brought = Object.keys(packages).filter((path) => path !== '' && path !== ours)
  const files = globSync('dist/**/*.d.{ts,cts}', { cwd: join(consumer, ours) })
  const declarations = files
    .map((file) => readFileSync(join(consumer, ours, file), 'utf8'))
    .join('')
  return [
    // ES modules, and a CommonJS build that contains its dependencies.
    atMost('The package, unpacked', unpackedSize / 1e6, 3.5, 'MB'),
    atMost('Dependencies in a production install', brought.length, 4),
    // Every public member has a doc comment, and each entry point has declarations for both builds.
    atMost('Declarations, with their documentation', declarations.length / 1000, 450, 'KB'),
  ]
}
