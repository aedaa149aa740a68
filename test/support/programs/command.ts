import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { buildCommand } from '../../../scripts/build/command.ts'
import { createProject } from './project.ts'

/** What `mock --json` prints. */
export interface Ready {
  url: string
  apiKey: string
  inspector: string
  control: string
}

const given = /^(?:FORCE_COLOR|NODE_OPTIONS|PORT|HOST|SERVICE_.*|HEALTH_LAB_.*)$/

/** The environment of the tests without variables that change the command. */
export const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !given.test(name)),
)

/** Builds the command for the tests of a file, and returns how to run it. */
export function useCommand() {
  let folder = ''
  beforeAll(async () => {
    mkdirSync('scratch', { recursive: true })
    folder = mkdtempSync('scratch/cli-')
    await buildCommand(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Returns the path of a file of the command. */
  const pathOf = (file: string) => join(folder, file)

  /** Starts the command in its own process, with further variables. */
  const startWith = (variables: Record<string, string>, ...parts: string[]) => {
    const child = spawn(process.execPath, [pathOf('cli.js'), ...parts], {
      env: { ...env, ...variables },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }
  const start = (...parts: string[]) => startWith({}, ...parts)

  /** Runs the command until it exits. */
  const run = async (...parts: string[]): Promise<{ code: number; out: string; err: string }> => {
    const child = start(...parts)
    const code = new Promise<number>((resolve) => child.on('close', resolve))
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { code: await code, out, err }
  }

  /** Serves the mock on a free port. */
  const mock = async (...flags: string[]) => {
    const child = start('mock', '--port', '0', '--json', ...flags)
    return { ...(await readyOf(child)), child }
  }
  /** Returns a folder in which `npx` finds the command. */
  const install = (): string => {
    const project = createProject(folder)
    onTestFinished(() => rmSync(project, { recursive: true, force: true }))
    return project
  }
  return { pathOf, start, startWith, run, mock, install }
}

/** Returns what a mock prints when it is ready. */
export async function readyOf(child: ChildProcessWithoutNullStreams): Promise<Ready> {
  const line = await new Promise<string>((resolve) => child.stdout.once('data', resolve))
  return JSON.parse(line) as Ready
}

/** Returns the exit code of a process; null after a signal. */
export function exitCodeOf(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  return new Promise((resolve) => child.on('close', resolve))
}
