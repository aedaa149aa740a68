// A program: makes one call that fails, then prints the timers that keep the process running.
import { ServiceClient, ServiceError } from '../../src/index.ts'

const [baseUrl = '', timeout = '30000'] = process.argv.slice(2)
const client = new ServiceClient({
  apiKey: 'key',
  baseUrl,
  timeout: Number(timeout),
  maxRetries: 0,
})
const { signal } = new AbortController()
const error: unknown = await client.link.listProviders({}, { signal }).catch((reason) => reason)
await new Promise(setImmediate)
const name = error instanceof ServiceError ? error.name : 'none'
console.log(JSON.stringify({ name, timers: process.getActiveResourcesInfo().filter(isTimer) }))

function isTimer(resource: string): boolean {
  return resource === 'Timeout'
}
