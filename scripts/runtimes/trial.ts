import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installIn } from '../packed.ts'

/** A test of the packed package with one tool. */
export interface Trial {
  /** The name, such as `Bun 1.4.5`. */
  name: string
  /** What is tested, in a few words. */
  what: string
  /** The npm packages of the tool, with exact versions. */
  tool: string
  /** The version of Node that runs the tool. Default: the Node of this repository. */
  node?: string
  /**
   * Runs the test in the consumer's folder, and returns its output. Receives the folder of the tool and the path of
   * Node.
   */
  run(consumer: string, tool: string, node: string): string | Promise<string>
}

export interface TrialResult {
  verdict: 'passed' | 'FAILED' | 'MISSING'
  found: string
}

export async function runTrial(
  trial: Trial,
  consumer: string,
  tools: string,
): Promise<TrialResult> {
  const node = trial.node && `node@${trial.node}`
  for (const tool of [trial.tool, node]) {
    const reason = tool && tryInstall(tool, tools)
    if (reason) {
      const found = `${tool} could not be installed:\n${reason}\nCheck the npm registry: npm install ${tool}`
      return { verdict: 'MISSING', found }
    }
  }
  const command = node ? join(folderOf(node, tools), 'node_modules/.bin/node') : process.execPath
  try {
    return {
      verdict: 'passed',
      found: await trial.run(consumer, folderOf(trial.tool, tools), command),
    }
  } catch (error) {
    return { verdict: 'FAILED', found: reasonOf(error) }
  }
}

function folderOf(tool: string, tools: string): string {
  const [first = ''] = tool.split(' ')
  return join(tools, first.replaceAll(/[^\w.]/g, '-'))
}

/** The results of installations, kept because several trials use the same tool. */
const installations = new Map<string, string | undefined>()

/** Installs a tool once. Returns the reason if this fails. */
function tryInstall(tool: string, tools: string): string | undefined {
  if (installations.has(tool)) return installations.get(tool)
  let reason: string | undefined
  try {
    install(tool, tools)
  } catch (error) {
    reason = reasonOf(error)
  }
  installations.set(tool, reason)
  return reason
}

/** Returns the tool's folder. */
export function install(tool: string, tools: string): string {
  const packages = tool.split(' ')
  const names = packages.map((part) => part.split(/(?!^)@/)[0] ?? '')
  const folder = folderOf(tool, tools)
  installIn(folder, packages, names)
  return folder
}

/** Returns the error output of a failed command, or the message of the error if the command printed nothing. */
export function reasonOf(error: unknown): string {
  const { message, stderr } = error as { message: string; stderr?: string }
  return (stderr || message).trim()
}

/** Throws an error with the output if the command fails. */
export function output(folder: string, command: string, ...parts: string[]): string {
  const { NODE_OPTIONS: _, ...env } = process.env
  const { status, stdout, stderr, error } = spawnSync(command, parts, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 300_000,
    env: { ...env, NO_COLOR: '1', CI: '1' },
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  return stdout.trim()
}
