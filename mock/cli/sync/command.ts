import { Command, Option } from 'commander'
import { CommandFailure, integerParser, parseWhole, secretOption } from '../options.ts'
import type { SyncFlags } from './flags.ts'

export function sync(): Command {
  return new Command('sync')
    .description("Receive events, and store your users' health data in your Postgres database.")
    .addOption(
      new Option('--database <url>', 'the database URL, such as postgres://user@host/name').env(
        'DATABASE_URL',
      ),
    )
    .option(
      '--folder <path>',
      'the folder where PGlite stores the data if no database URL is set',
      'health-lab-data',
    )
    .option('--schema <name>', 'the database schema for the tables', 'health')
    .addOption(
      new Option('-p, --port <number>', 'the port to listen on; 0 selects any free port')
        .argParser(parseWhole)
        .env('PORT')
        .default(3000),
    )
    .addOption(
      new Option('--host <address>', 'the address to listen on').env('HOST').default('127.0.0.1'),
    )
    .addOption(secretOption())
    .addOption(
      new Option(
        '--max-attempts <number>',
        'after Postgres has rejected a message this many times, park it in the failed_messages table',
      )
        .argParser(integerParser('an integer of at least 1', 1))
        .default(3),
    )
    .option(
      '--users <file>',
      'also backfill the summaries of the users in this file, one id per line; requires --from',
    )
    .option('--from <day>', 'with --users: the first day to backfill, such as 2026-01-01')
    .option('--demo', 'store the data of a generated user, print a chart, and exit')
    .option(
      '--chart [query]',
      'print a chart, and exit; the query must return labels and numbers (default: hours of sleep on the latest nights)',
    )
    .option(
      '--probe',
      "serve stored records at /records for certify; never use this with real people's data",
    )
    .option('--sql', 'print the SQL for your own migration tool, and exit')
    .option('--json', 'print one line of JSON when the server is ready')
    .addHelpText(
      'after',
      '\nPaths: POST /events, GET /health and GET /metrics. The database drivers are optional packages: pg with --database, @electric-sql/pglite without it. --users reads from the service at SERVICE_BASE_URL, with the key in SERVICE_API_KEY.',
    )
    .action(async (given: SyncFlags, command: Command) => {
      const flags = withoutVariable(given, (name) => command.getOptionValueSource(name))
      // Loaded on demand, because help and the other commands need no server.
      const { syncUntilStopped } = await import('./serve.ts')
      await syncUntilStopped(flags).catch(failForOption)
    })
}

/** Ignores `DATABASE_URL` if flags select a folder or generated data. The variable may name a database with real data. */
function withoutVariable(
  flags: SyncFlags,
  sourceOf: (name: keyof SyncFlags) => string | undefined,
): SyncFlags {
  const { database: _, ...others } = flags
  const usesFolder = flags.demo || sourceOf('folder') === 'cli'
  return usesFolder && sourceOf('database') === 'env' ? others : flags
}

/** The codes of errors about flag and variable values. The messages of these errors do not contain the values. */
const optionCodes: unknown[] = ['argument_invalid', 'secret_invalid', 'request_invalid']

function failForOption(error: unknown): never {
  const { code, message } = Object(error)
  throw optionCodes.includes(code) ? new CommandFailure(String(message), 2) : error
}
