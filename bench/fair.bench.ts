import { cases, type FairCase } from './fair/cases.ts'
import { startServer } from './fair/server-process.ts'
import { measureStall } from './fair/stall.ts'
import type { Figure } from './figure.ts'

/** Sends the most expensive requests to a served mock, and measures how long the health check waits meanwhile. */
export default async function (): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const fairCase of cases) figures.push(await measure(fairCase))
  return figures
}

async function measure({ what, prepare }: FairCase): Promise<Figure> {
  const server = await startServer()
  try {
    const { longest, total } = await measureStall(server.url, await prepare(server))
    const found = `${longest.toFixed(0)} ms of ${total.toFixed(0)} ms`
    process.stderr.write(`  ${what}: ${found}\n`)
    return { what, found, limit: 'aim 50 ms' }
  } finally {
    server.child.kill()
  }
}
