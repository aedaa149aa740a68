import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Runs a program in a separate process, in the root of this repository, and parses its output as JSON. Rejects if the
 * process fails.
 */
export async function runProgram(program: string, ...flags: string[]): Promise<unknown> {
  const args = [...flags, '--input-type=module', '--eval', program]
  const { stdout } = await run(process.execPath, args, { timeout: 240_000 })
  return JSON.parse(stdout)
}
