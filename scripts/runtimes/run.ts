import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundles } from './bundles.ts'
import { entries, installConsumer } from './consumer.ts'
import { generatedClients } from './generated-clients.ts'
import { jest } from './jest.ts'
import { mcp } from './mcp.ts'
import { nestTemplates } from './nest-templates.ts'
import { release } from './release.ts'
import { runtimes } from './runtimes.ts'
import { reasonOf, runTrial } from './trial.ts'
import { types } from './types.ts'

/**
 * Packs the package and tests it on every supported runtime: `npm run lab runtimes`, or `npm run lab runtimes deno` for
 * one runtime. Every tool is installed from npm in an empty folder. Exits with 1 when a trial fails or its tool cannot
 * be installed.
 */
const [wanted = ''] = process.argv.slice(2)
const all = [
  ...runtimes(entries),
  ...types(entries),
  ...jest(),
  ...nestTemplates(),
  ...bundles(),
  ...generatedClients(),
  ...release(),
  ...mcp(),
]
const trials = all.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))

if (trials.length === 0) {
  const names = [...new Set(all.map(({ name }) => name))]
  console.error(`Unknown trial '${wanted}'. Trials: ${names.join(', ')}`)
  process.exitCode = 1
} else {
  const folder = mkdtempSync(join(tmpdir(), 'health-lab-sdk-'))
  try {
    installConsumer(join(folder, 'consumer'), join(folder, 'packing'))
    process.exitCode = (await table(folder)) ? 0 : 1
  } catch (error) {
    console.error(`The package could not be packed and installed: ${reasonOf(error)}`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function table(folder: string): Promise<boolean> {
  const reasons: string[] = []
  console.log('| Where | What | Found | |\n|---|---|---|---|')
  for (const trial of trials) {
    const { verdict, found } = await runTrial(
      trial,
      join(folder, 'consumer'),
      join(folder, 'tools'),
    )
    const shown = verdict === 'passed' ? found : ''
    console.log(`| ${trial.name} | ${trial.what} | ${shown} | ${verdict} |`)
    if (verdict !== 'passed') reasons.push(`${trial.name}, ${trial.what}:\n${found}`)
  }
  for (const reason of reasons) console.error(`\n${reason}`)
  return reasons.length === 0
}
