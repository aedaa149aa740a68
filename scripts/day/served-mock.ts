import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface ServedMock {
  url: string
  /** Stops the mock as a service manager would. Resolves when the mock has saved its state. */
  stop(): Promise<void>
}

export async function startMock(cwd: string, port: string): Promise<ServedMock> {
  const files = ['--fixture', 'people.yaml', '--state', 'mock.json']
  const flags = ['--port', port, '--clock', 'auto', '--json', '--log', 'off', ...files]
  const words = ['--no', '--', 'health-lab-sdk', 'mock', ...flags]
  const child = spawn('npx', words, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  // The mock keeps the output open, even after npx has ended.
  const closed = once(child, 'close')
  const line = await Promise.race([once(child.stdout, 'data'), closed.then(throwEnded)])
  const { url } = JSON.parse(String(line))
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
  }
  return { url, stop }
}

function throwEnded(): never {
  throw new Error('The mock ended before it was ready.')
}
