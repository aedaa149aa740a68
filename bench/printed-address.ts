import type { ChildProcess } from 'node:child_process'

/** The time limit for a server to print its address, in milliseconds. */
const patience = 60_000

/**
 * Returns the first address on 127.0.0.1 that a process prints. Only this output shows the port of a server that chose
 * a free port.
 *
 * @throws {Error} with the process's output, if the process ends or takes too long before it prints an address.
 */
export async function printedAddress(child: ChildProcess, limit = patience): Promise<string> {
  let output = ''
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const fail = (reason: string) => reject(new Error(`The server ${reason}. Its output:\n${output}`))
  const read = (chunk: Buffer) => {
    output += chunk
    const [address] = /http:\/\/127\.0\.0\.1:\d+\b(?=\D)/.exec(output) ?? []
    if (address) resolve(address)
  }
  const timer = setTimeout(() => fail(`printed no address within ${limit} ms`), limit)
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  child.once('error', (error) => fail(`did not start: ${error.message}`))
  child.once('close', (code) => fail(`ended with ${code} before it printed its address`))
  return promise.finally(() => clearTimeout(timer))
}
