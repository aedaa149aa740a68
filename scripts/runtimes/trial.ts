import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installIn } from '../packed.ts'

/** One thing to prove of the packed package. */
export interface Trial {
  /** Such as `Bun 1.4.5`. */
  name: string
  /** What is proved, in a few words. */
  what: string
  /** The package of npm that brings the tool, with its exact version. */
  tool: string
  /** Proves it in the consumer's folder, with the tool's own folder; answers what was found, or throws. */
  run(consumer: string, tool: string): string | Promise<string>
}

/** How a trial ended. */
export interface Verdict {
  verdict: 'passed' | 'FAILED' | 'MISSING'
  found: string
}

/** Gets a trial's tool and runs it. */
export async function attempt(trial: Trial, consumer: string, tools: string): Promise<Verdict> {
  const folder = join(tools, trial.tool.replaceAll(/[^\w.]/g, '-'))
  const [name = ''] = trial.tool.split(/(?!^)@/)
  try {
    installIn(folder, [trial.tool], [name])
  } catch (error) {
    const found = `${trial.tool} did not install here:\n${reasonOf(error)}\nIt comes from the npm registry: npm install ${trial.tool}`
    return { verdict: 'MISSING', found }
  }
  try {
    return { verdict: 'passed', found: await trial.run(consumer, folder) }
  } catch (error) {
    return { verdict: 'FAILED', found: reasonOf(error) }
  }
}

/** What a command that failed has to say, else the error's message. */
export function reasonOf(error: unknown): string {
  const { message, stderr } = error as { message: string; stderr?: string }
  return (stderr || message).trim()
}

/** Runs a command in a folder, and gives what it prints; throws with all of it when the command fails. */
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
