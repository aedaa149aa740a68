import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Runs a program as a process of its own, from the root of this repository, and returns what it prints as JSON. Fails when
 * the process does.
 */
export async function runProgram(program: string, ...flags: string[]): Promise<unknown> {
  const args = [...flags, '--input-type=module', '--eval', program]
  const { stdout } = await run(process.execPath, args, { timeout: 15_000 })
  return JSON.parse(stdout)
}
