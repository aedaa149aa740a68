import { Command, CommanderError } from 'commander'
import { version } from '../../src/version.ts'
import { conformance } from './conformance.ts'
import { Failure } from './failure.ts'
import { mock } from './mock.ts'
import { openapi } from './openapi.ts'
import { trigger } from './trigger.ts'

/** Every command; each is a file beside this one. */
const commands = [mock, trigger, conformance, openapi]

const program = new Command('health-lab-sdk')
  .description('The Health Data and Lab Ordering Service, for development and tests.')
  .version(version)
  .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 not understood.')

for (const command of commands) program.addCommand(command)
for (const command of [program, ...program.commands]) {
  command.exitOverride().configureOutput({ outputError: (text, write) => write(errorLine(text)) })
}

// Whoever reads the output may have read enough, as `| head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}

/** Commander has told what it did not understand. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (!(error instanceof Failure)) throw error
  process.stderr.write(errorLine(`error: ${error.message}\n`))
  return error.exitCode
}

/** An error as a person reads it; with `--json`, as a program does. */
function errorLine(text: string): string {
  if (!process.argv.includes('--json')) return text
  return `${JSON.stringify({ error: text.trim().replace(/^error: /, '') })}\n`
}
