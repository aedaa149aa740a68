import { Command, Option } from 'commander'
import type { ConformanceReport } from '../../src/conformance/report.ts'
import type { Setup } from '../../src/conformance/setup.ts'
import { MockError } from '../errors.ts'
import { CommandFailure, checkKey, checkUrlFlag, keyOption, tokenOption } from './options.ts'

interface ConformanceFlags {
  url?: string
  key?: string
  served?: true
  token?: string
  user?: string
  only?: string[]
  readOnly?: true
  assumptions?: true
  bail?: true
  json?: true
  junit?: true
}

export function conformance(): Command {
  return new Command('conformance')
    .description('Test whether a service matches the specification, case by case.')
    .option('--url <url>', "the service's base URL; default: a mock in this process")
    .addOption(keyOption())
    .option('--served', 'use the control API of the mock server at --url to set up the cases')
    .addOption(tokenOption('the control token of the mock server'))
    .option('--user <id>', "the id of a user in the team; the cases change the user's records")
    .option('--only <cases...>', 'run only these sections or cases, such as "4.8" or "7/failed"')
    .option('--read-only', "run only cases that do not change the service's data")
    .option(
      '--assumptions',
      "also check that the service matches the mock's defaults where the specification leaves behaviour open",
    )
    .option('--bail', 'stop at the first failing case')
    .addOption(new Option('--json', 'print the report as JSON').conflicts('junit'))
    .option('--junit', 'print the report as JUnit XML')
    .addHelpText(
      'after',
      '\nIf the service lacks something that a case requires, the case is skipped, and the report says why.',
    )
    .action(run)
}

async function run(flags: ConformanceFlags): Promise<void> {
  const { runConformance } = await import('../../src/conformance/run.ts')
  const { only = [], readOnly = false, assumptions = false, bail = false } = flags
  const service = await selectService(flags)
  const report = await runConformance({ ...service, only, readOnly, assumptions, bail })
  if (report.results.length === 0) {
    throw new CommandFailure(`No case matches ${only.join(', ')}. Use sections such as 4.8.`, 2)
  }
  process.stdout.write(await formatReport(report, flags))
  if (report.failed > 0) process.exitCode = 1
}

async function formatReport(
  report: ConformanceReport,
  { json, junit }: ConformanceFlags,
): Promise<string> {
  if (json) return `${JSON.stringify(report, null, 2)}\n`
  const { toJunit, toTable } = await import('../../src/conformance/report.ts')
  return junit ? toJunit(report) : toTable(report)
}

async function selectService({ url, key, served, token, user }: ConformanceFlags) {
  const { createConformanceSetup, connectConformanceSetup } = await import(
    '../remote/conformance-setup.ts'
  )
  if (url === undefined) {
    const { Mock } = await import('../mock.ts')
    const mock = new Mock({})
    return { ...mock.connection(), setup: createConformanceSetup(mock) }
  }
  checkUrlFlag(url)
  checkKey(key)
  const userSetup: Setup = user === undefined ? {} : { user: () => user }
  try {
    const setup = served ? await connectConformanceSetup(url, key, token ? { token } : {}) : {}
    return { baseUrl: url, apiKey: key, setup: { ...setup, ...userSetup } }
  } catch (error) {
    throw error instanceof MockError ? new CommandFailure(error.message) : error
  }
}
