import { Command, InvalidArgumentError, Option } from 'commander'
import type { CertifyOptions } from '../../src/certify/options.ts'
import type { CertifyReport } from '../../src/certify/report.ts'
import type { CertifyTeam } from '../../src/certify/team.ts'
import { environment } from '../../src/contract/wire.ts'
import { CommandFailure } from './options.ts'

interface CertifyFlags {
  url?: string
  secret?: string[]
  probe?: string
  team?: 'living'
  user?: string
  timeout: number
  settleTime: number
  only?: string[]
  skip?: string[]
  json?: true
  junit?: true
  quiet?: boolean
}

/** `health-lab-sdk certify`: judges a webhook receiver. */
export function certifyCommand(): Command {
  return new Command('certify')
    .description('Test a webhook receiver with signed events, forgeries and duplicates.')
    .option('--url <url>', "the receiver's URL; use a test database, because it stores the events")
    .addOption(
      new Option(
        '--secret <secrets...>',
        'the secret of the endpoint; during a rotation, the old and the new one',
      ).env(environment.webhookSecret),
    )
    .option('--probe <url>', 'the URL that returns what the receiver stored, as JSON')
    .addOption(
      new Option(
        '--team <kind>',
        'send also what a living user of the mock sends, and compare the probe with its truth',
      ).choices(['living']),
    )
    .option('--user <id>', 'the user of the events; default: a random one for each case')
    .addOption(
      new Option('--timeout <ms>', 'limit for a response, in milliseconds')
        .argParser(parseMilliseconds)
        .default(15_000),
    )
    .addOption(
      new Option('--settle-time <ms>', 'time for work after a response, in milliseconds')
        .argParser(parseMilliseconds)
        .default(100),
    )
    .option(
      '--only <cases...>',
      'run these topics or cases only, such as signature or body/escapes',
    )
    .option('--skip <cases...>', 'skip these topics or cases')
    .addOption(new Option('--json', 'print the report as JSON').conflicts('junit'))
    .option('--junit', 'print the report as JUnit XML')
    .option('--quiet', 'print failed cases and the counts only')
    .addHelpText(
      'after',
      '\nWithout --probe, the cases about stored records are skipped; without --team, those about a living user.',
    )
    .action(run)
}

function parseMilliseconds(text: string): number {
  const milliseconds = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(milliseconds)) return milliseconds
  throw new InvalidArgumentError('Expected a number of milliseconds.')
}

async function run(flags: CertifyFlags): Promise<void> {
  const { json: _, junit: __, quiet: ___, team, secret = [], ...options } = flags
  // From the environment it is one string, which may be empty.
  const secrets = [secret].flat().filter((one) => one !== '')
  if (!options.url) throw new CommandFailure("Expected --url with the receiver's URL.", 2)
  if (secrets.length === 0) {
    throw new CommandFailure(
      `Expected the secret of the endpoint. Use --secret, or set ${environment.webhookSecret}.`,
      2,
    )
  }
  const report = await judge({
    ...options,
    ...(team ? { team: await livingTeam() } : {}),
    secret: secrets,
  })
  process.stdout.write(await formatReport(report, flags))
  if (report.failed > 0) process.exitCode = 1
}

async function livingTeam(): Promise<CertifyTeam> {
  const { Mock } = await import('../mock.ts')
  return new Mock({ living: true }).team()
}

async function judge(options: CertifyOptions) {
  const { certify: judgeReceiver } = await import('../../src/certify/certify.ts')
  const { isOptionError } = await import('../../src/certify/options.ts')
  try {
    return await judgeReceiver(options)
  } catch (error) {
    throw isOptionError(error) ? new CommandFailure(error.message, 2) : error
  }
}

async function formatReport(
  report: CertifyReport,
  { json, junit, quiet = false }: CertifyFlags,
): Promise<string> {
  if (json) return `${JSON.stringify(report, null, 2)}\n`
  const { toJunit, toTable } = await import('../../src/certify/report.ts')
  return junit ? toJunit(report) : toTable(report, { quiet })
}
