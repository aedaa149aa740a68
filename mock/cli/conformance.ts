import { Command, Option } from 'commander'
import type { ConformanceReport } from '../../src/conformance/report.ts'
import type { Setup } from '../../src/conformance/setup.ts'
import { MockError } from '../errors.ts'
import { checkKey, checkUrl, keyOption, tokenOption } from './address.ts'
import { Failure } from './failure.ts'

interface ConformanceFlags {
  url?: string
  key?: string
  served?: true
  token?: string
  user?: string
  only?: string[]
  readOnly?: true
  presumptions: boolean
  json?: true
  junit?: true
}

/** `health-lab-sdk conformance`: holds a service against the specification. */
export const conformance = new Command('conformance')
  .description('Hold a service against the specification, case by case.')
  .option('--url <url>', "the service's base URL; a mock of its own without")
  .addOption(keyOption())
  .option('--served', 'the URL is that of a mock, which sets itself up over its control API')
  .addOption(tokenOption('the control token of that mock'))
  .option('--user <id>', 'a user of the team, whose records may be changed')
  .option('--only <cases...>', 'sections or cases, such as 4.8 or 7/failed')
  .option('--read-only', 'only cases that leave the service as it was')
  .option('--no-presumptions', 'no cases that rely on what the specification leaves open')
  .addOption(new Option('--json', 'print the report as JSON').conflicts('junit'))
  .option('--junit', 'print the report as JUnit XML')
  .addHelpText('after', '\nA case that lacks what it needs is skipped, and says so.')
  .action(run)

async function run(flags: ConformanceFlags): Promise<void> {
  const { runConformance } = await import('../../src/conformance/run.ts')
  const { only = [], readOnly = false, presumptions } = flags
  const service = await serviceOf(flags)
  const report = await runConformance({ ...service, only, readOnly, presumptions })
  if (report.results.length === 0) {
    throw new Failure(`No case fits ${only.join(', ')}. Expected sections such as 4.8.`, 2)
  }
  process.stdout.write(await written(report, flags))
  if (report.failed > 0) process.exitCode = 1
}

async function written(report: ConformanceReport, { json, junit }: ConformanceFlags) {
  if (json) return `${JSON.stringify(report, null, 2)}\n`
  const { toJunit, toTable } = await import('../../src/conformance/report.ts')
  return junit ? toJunit(report) : toTable(report)
}

async function serviceOf({ url, key, served, token, user }: ConformanceFlags) {
  const { conformanceSetup, servedConformanceSetup } = await import(
    '../remote/conformance-setup.ts'
  )
  if (url === undefined) {
    const { Mock } = await import('../mock.ts')
    const mock = new Mock({})
    return { ...mock.connection(), setup: conformanceSetup(mock) }
  }
  checkUrl(url)
  checkKey(key)
  const own: Setup = user === undefined ? {} : { user: () => user }
  try {
    const offered = served ? await servedConformanceSetup(url, key, token ? { token } : {}) : {}
    return { baseUrl: url, apiKey: key, setup: { ...offered, ...own } }
  } catch (error) {
    throw error instanceof MockError ? new Failure(error.message) : error
  }
}
