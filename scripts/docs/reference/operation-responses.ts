import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Team } from '../../../mock/index.ts'
import { operationExamples } from './operation-examples.ts'

/** Runs each operation's example, and prints the bodies of the mock's responses as JSON. Omits files. */
mkdirSync('scratch', { recursive: true })
const folder = mkdtempSync('scratch/operations-')
const log = console.log
console.log = () => undefined
const bodies: Record<string, unknown> = {}
for (const { id, program } of operationExamples()) {
  const file = join(folder, `${id}.ts`)
  writeFileSync(file, `${program}\nexport { team }\n`)
  // Every example defines `team`.
  const { team } = (await import(pathToFileURL(resolve(file)).href)) as { team: Team }
  const body: unknown = team.journal.last(id as never)?.response?.body
  if (!ArrayBuffer.isView(body)) bodies[id] = body
}
rmSync(folder, { recursive: true })
log(JSON.stringify(bodies))
