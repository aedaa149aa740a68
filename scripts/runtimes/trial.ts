import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installIn } from '../packed.ts'

/** A test of the packed package with one tool. */
export interface Trial {
  /** Such as `Bun 1.4.5`. */
  name: string
  /** What is tested, in a few words. */
  what: string
  /** The npm package of the tool, with its exact version. */
  tool: string
  /** Runs the test in the consumer's folder with the tool's folder, and returns its output. */
  run(consumer: string, tool: string): string | Promise<string>
}

/** The result of a trial. */
export interface TrialResult {
  verdict: 'passed' | 'FAILED' | 'MISSING'
  found: string
}

/** Installs the tool of a trial and runs the trial. */
export async function runTrial(
  trial: Trial,
  consumer: string,
  tools: string,
): Promise<TrialResult> {
  const folder = join(tools, trial.tool.replaceAll(/[^\w.]/g, '-'))
  const [name = ''] = trial.tool.split(/(?!^)@/)
  try {
    installIn(folder, [trial.tool], [name])
  } catch (error) {
    const found = `${trial.tool} could not be installed:\n${reasonOf(error)}\nCheck the npm registry: npm install ${trial.tool}`
    return { verdict: 'MISSING', found }
  }
  try {
    return { verdict: 'passed', found: await trial.run(consumer, folder) }
  } catch (error) {
    return { verdict: 'FAILED', found: reasonOf(error) }
  }
}

/** Returns the error output of a failed command, else the message of the error. */
export function reasonOf(error: unknown): string {
  const { message, stderr } = error as { message: string; stderr?: string }
  return (stderr || message).trim()
}

/** Runs a command in a folder and returns its output. Throws an error with the output if the command fails. */
export function output(folder: string, command: string, ...parts: string[]): string {
  const { NODE_OPTIONS: _, ...env } = process.env
  const { status, stdout, stderr, error } = spawnSync(command, parts, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...env, NO_COLOR: '1', CI: '1' },
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return stdout.trim()
}
