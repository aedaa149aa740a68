import { Command, CommanderError } from 'commander'
import { version } from '../../src/version.ts'
import { certifyCommand } from './certify.ts'
import { conformance } from './conformance.ts'
import { agents, openapi } from './documents.ts'
import { mcp } from './mcp.ts'
import { mock } from './mock.ts'
import { CommandFailure } from './options.ts'
import { sync } from './sync/command.ts'
import { trigger } from './trigger.ts'

const commands: Record<string, () => Command> = {
  mock,
  trigger,
  conformance,
  certify: certifyCommand,
  sync,
  openapi,
  agents,
  mcp,
}

const program = new Command('health-lab-sdk')
  .description('A mock of the Health Data and Lab Ordering Service, and tools to test against it.')
  .version(version)
  .addHelpText('after', '\nExit codes: 0 success, 1 failure, 2 invalid arguments.')

// Creating all commands takes a millisecond. Only help and unknown names need all of them.
const all = Object.entries(commands)
const named = all.filter(([name]) => name === process.argv[2])
for (const [, create] of named.length > 0 ? named : all) program.addCommand(create())
for (const command of [program, ...program.commands]) {
  command.exitOverride().configureOutput({ outputError: (text, write) => write(formatError(text)) })
}

// The reader may close the pipe early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

// No top-level await: the command is built as CommonJS.
program.parseAsync().catch((error: unknown) => {
  process.exitCode = handleError(error)
})

/** Prints an error, unless Commander has already printed it. Returns the exit code. */
function handleError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (!(error instanceof CommandFailure)) throw error
  process.stderr.write(formatError(`error: ${error.message}\n`))
  return error.exitCode
}

function formatError(text: string): string {
  if (!process.argv.includes('--json')) return text
  return `${JSON.stringify({ error: text.trim().replace(/^error: /, '') })}\n`
}
