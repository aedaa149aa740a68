import { Agent, get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { healthPath } from '../../mock/control/paths.ts'

/** How long clients waited while a request was handled, in milliseconds. */
export interface Stall {
  /** The longest time that a health check waited for its response. */
  longest: number
  total: number
}

export async function measureStall(url: string, send: () => Promise<unknown>): Promise<Stall> {
  const agent = new Agent({ keepAlive: true })
  await checkHealth(url, agent)
  const start = performance.now()
  let isRunning = true
  const sent = send().finally(() => {
    isRunning = false
  })
  let longest = 0
  while (isRunning) {
    longest = Math.max(longest, await checkHealth(url, agent))
    await setTimeout(1)
  }
  await sent
  agent.destroy()
  return { longest, total: performance.now() - start }
}

/** Returns the response time in milliseconds. */
function checkHealth(url: string, agent: Agent): Promise<number> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const request = get(url + healthPath, { agent }, (response) => {
      response.resume().on('end', () => resolve(performance.now() - start))
    })
    request.on('error', reject)
  })
}
