import { Command, Option } from 'commander'
import type { CertifyOptions } from '../../src/certify/options.ts'
import type { Probe } from '../../src/certify/probe.ts'
import type { ReceiverHandler } from '../../src/certify/receiver.ts'
import type { CertifyTeam } from '../../src/certify/team.ts'
import { environment } from '../../src/contract/wire.ts'
import { isObject } from '../../src/shared/narrow.ts'
import { exportsOf } from '../shared/exports-of.ts'
import { CommandFailure, integerParser, secretOption } from './options.ts'

interface CertifyFlags {
  url?: string
  handler?: string
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
  mutate?: true
  quiet?: boolean
}

export function certifyCommand(): Command {
  return new Command('certify')
    .description('Test a webhook receiver with signed events, forgeries and duplicates.')
    .option(
      '--url <url>',
      "the receiver's URL; the receiver stores the events, so use a test database",
    )
    .addOption(
      new Option(
        '--handler <module>',
        'a module whose "default", "handler" or "POST" export is a function that takes a Request; it may also export "probe" and "simulate"',
      ).conflicts('url'),
    )
    .addOption(secretOption())
    .option('--probe <url>', "a URL that returns the receiver's stored records as JSON")
    .addOption(
      new Option(
        '--team <kind>',
        "also send living users' events from the mock, and compare the probe's records with the expected records",
      ).choices(['living']),
    )
    .option('--user <id>', 'the user id in the events; by default, a random id for each case')
    .addOption(
      new Option('--timeout <ms>', 'the time limit for a response, in milliseconds')
        .argParser(parseMilliseconds)
        .default(15_000),
    )
    .addOption(
      new Option(
        '--settle-time <ms>',
        'how long to wait for background work after a response, in milliseconds',
      )
        .argParser(parseMilliseconds)
        .default(100),
    )
    .option(
      '--only <cases...>',
      'run only these topics or cases, such as "signature" or "body/escapes"',
    )
    .option('--skip <cases...>', 'skip these topics or cases')
    .addOption(new Option('--json', 'print the report as JSON').conflicts('junit'))
    .option('--junit', 'print the report as JUnit XML')
    .addOption(
      new Option(
        '--mutate',
        "also bypass the receiver's checks one at a time, and print which cases detect each missing check",
      ).conflicts('junit'),
    )
    .option('--quiet', 'print only the failed cases and the totals')
    .addHelpText(
      'after',
      '\nCases about stored records require --probe, or a module that exports "probe". Cases about a living user also require --team. Otherwise, these cases are skipped.',
    )
    .action(run)
}

const parseMilliseconds = integerParser('a number of milliseconds')

async function run(flags: CertifyFlags): Promise<void> {
  const { url, handler, probe, team, user, timeout, settleTime, only, skip } = flags
  // A secret from the environment variable is a single string, which may be empty.
  const secrets = [flags.secret ?? []].flat().filter((one) => one !== '')
  if (!url && !handler) {
    throw new CommandFailure(
      "Expected --url with the receiver's URL, or --handler with its module.",
      2,
    )
  }
  if (secrets.length === 0) {
    throw new CommandFailure(
      `Expected the endpoint secret. Pass --secret, or set ${environment.webhookSecret}.`,
      2,
    )
  }
  const options: CertifyOptions = {
    ...(handler ? await importReceiver(handler) : { url }),
    ...(probe ? { probe } : {}),
    ...(team ? { team: await livingTeam() } : {}),
    ...{ user, timeout, settleTime, only, skip, secret: secrets },
  }
  const { text, failed } = flags.mutate ? await mutate(options, flags) : await judge(options, flags)
  process.stdout.write(text)
  if (failed > 0) process.exitCode = 1
}

async function importReceiver(file: string): Promise<Partial<CertifyOptions>> {
  const { href: url } = new URL(file, `file://${process.cwd()}/`)
  const module: Record<string, unknown> = await import(url).catch((error: unknown) => {
    throw new CommandFailure(`Cannot load ${file}: ${String(error)}`, 2)
  })
  const exported = exportsOf(module)
  const candidates = [exported['default'], exported['handler'], exported['POST']]
  const handler = candidates.find(isFunction<ReceiverHandler>)
  if (!handler) {
    throw new CommandFailure(
      `Expected the default, handler or POST export of ${file} to be a function that takes a Request.`,
      2,
    )
  }
  const { probe, simulate } = exported
  return {
    handler,
    ...(isFunction<Probe>(probe) ? { probe } : {}),
    ...(isObject(simulate) ? { simulate } : {}),
  }
}

function isFunction<T>(value: unknown): value is T {
  return typeof value === 'function'
}

async function livingTeam(): Promise<CertifyTeam> {
  const { Mock } = await import('../mock.ts')
  return new Mock({ living: true }).team()
}

interface Outcome {
  text: string
  failed: number
}

async function judge(
  options: CertifyOptions,
  { json, junit, quiet = false }: CertifyFlags,
): Promise<Outcome> {
  const { certify } = await import('../../src/certify/certify.ts')
  const { toJunit, toTable } = await import('../../src/certify/report.ts')
  const report = await certify(options).catch(failForOption)
  const { failed } = report
  if (json) return { text: toJson(report), failed }
  return { text: junit ? toJunit(report) : toTable(report, { quiet }), failed }
}

async function mutate(options: CertifyOptions, { json }: CertifyFlags): Promise<Outcome> {
  const { certifyMutations, toMutationTable } = await import('../../src/certify/mutate.ts')
  const report = await certifyMutations(options).catch(failForOption)
  return {
    text: json ? toJson(report) : toMutationTable(report),
    failed: report.certified.failed,
  }
}

async function failForOption(error: unknown): Promise<never> {
  const { isOptionError } = await import('../../src/certify/options.ts')
  throw isOptionError(error) ? new CommandFailure(error.message, 2) : error
}

function toJson(report: object): string {
  return `${JSON.stringify(report, null, 2)}\n`
}
