import { Command, Option } from 'commander'
import { defaultPort, tokenHeader } from '../control/paths.ts'
import { clockModes } from '../state/clock/clock-modes.ts'
import { defaultSettings, mockDefaults } from '../state/defaults.ts'
import { integerParser, logFormats, type MockFlags, parseWhole, tokenOption } from './options.ts'

export function mock(): Command {
  return new Command('mock')
    .description('Serve a mock of the service to clients in any language.')
    .addOption(
      new Option('-p, --port <number>', 'the port to listen on; 0 selects any free port')
        .argParser(parseWhole)
        .env('PORT')
        .default(defaultPort),
    )
    .addOption(
      new Option(
        '--host <address>',
        'the address to listen on; a non-loopback address makes the mock reachable from other machines',
      )
        .env('HOST')
        .default('127.0.0.1'),
    )
    .option(
      '--allow-host <name...>',
      "the mock's public DNS names; requests to other public names are rejected with 403 to prevent DNS rebinding",
    )
    .option(
      '--seed <seed>',
      'the seed for all random values; the same seed, time and call order produce the same responses',
      String(mockDefaults.seed),
    )
    .option(
      '--now <time>',
      'the initial virtual time; "now" means the current time',
      String(defaultSettings.now),
    )
    .addOption(
      new Option(
        '--clock <mode>',
        'how virtual time passes: "auto" jumps ahead until a waiting request can continue, "manual" waits until you advance it, and "realtime" follows real time',
      )
        .choices(clockModes)
        .default('realtime'),
    )
    .option('--fixture <file>', 'a JSON or YAML file with the records that every team starts with')
    .option('--watch', 'reset all teams when the --fixture file changes')
    .option('--state <file>', 'save the state of all teams to a file, so it survives a restart')
    .option('--strict-keys', 'reject unknown API keys; by default, each one creates a team')
    .addOption(
      new Option(
        '--auto-team-limit <number>',
        'the maximum number of teams created for unknown API keys; beyond it, the least recently used team is deleted',
      )
        .argParser(integerParser('an integer of at least 1', 1))
        .default(mockDefaults.autoTeamLimit),
    )
    .option('--cors', 'allow pages from any origin to call the service')
    .option(
      '--allow-remote-webhooks',
      'allow webhook URLs on other machines, such as other containers',
    )
    .addOption(
      tokenOption(
        `the control token; requests to the control API must include it in the "${tokenHeader}" header`,
      ),
    )
    .addOption(
      new Option(
        '--log <format>',
        'how requests are logged to standard error; by default, "lines" in a terminal and "json" elsewhere',
      ).choices(logFormats),
    )
    .option('--json', 'print one line of JSON when the server is ready')
    .action(async (flags: MockFlags) => {
      // Loaded on demand, because help and the other commands need no server.
      const { serveUntilStopped } = await import('./serving/serve.ts')
      await serveUntilStopped(flags)
    })
}
