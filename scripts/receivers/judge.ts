import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type CertifyReport, certify } from '../../src/certify/index.ts'
import { languages, type ReceiverProgram } from './receivers.ts'

const folder = import.meta.dirname
const secret = 'whsec_dGhlIHNlY3JldCBvZiBhIHJlY2VpdmVyIHVuZGVyIHRlc3Q='

/** How long receivers work in the background, keyed by style, in milliseconds. */
const settleTimes: Record<string, number> = { queue: 2_000, fastify: 2_000 }

/** Returns the reason if the programs cannot run. */
export function prepare(language: keyof typeof languages, target: string): string | undefined {
  const { needs, ...rest } = languages[language]
  if (spawnSync(needs, ['--version']).status !== 0) return `${needs} is not installed`
  if (!('prepare' in rest)) return undefined
  const [file = '', ...words] = rest.prepare(folder, target)
  const { status, stderr } = spawnSync(file, words, { encoding: 'utf8' })
  return status === 0 ? undefined : `${file} failed: ${stderr.slice(0, 200)}`
}

/** Certifies a receiver as described in the guide. Default for `only`: all cases. */
export async function judge(
  receiver: ReceiverProgram,
  target: string,
  only: readonly string[] = [],
): Promise<CertifyReport> {
  const { language, style, mistake } = receiver
  const [file = '', ...words] = languages[language].command(folder, target)
  const flags = ['--style', style, ...(mistake === undefined ? [] : ['--mistake', mistake])]
  const child = spawn(file === 'node' ? process.execPath : file, [...words, ...flags], {
    env: { ...process.env, RECEIVER_SECRET: secret },
    // Frameworks print every error of a receiver with a mistake.
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  try {
    const [port] = await Promise.race([
      once(createInterface(child.stdout), 'line'),
      exited.then(() => Promise.reject(new Error(`The receiver in ${language} did not start.`))),
    ])
    const url = `http://127.0.0.1:${port}/`
    return await certify({
      ...{ url, secret, probe: url, settleTime: settleTimes[style] ?? 300, only },
      simulate: { failure: () => fetch(`${url}?failures=1`) },
    })
  } finally {
    child.kill()
    await exited
  }
}
