import { cases, type FairCase } from './fair/cases.ts'
import { longestTurn, startServer } from './fair/server-process.ts'
import { measureStall } from './fair/stall.ts'
import type { Figure } from './figure.ts'

/** The target for the CPU time of one turn of the event loop, in milliseconds. */
const aim = 50

/**
 * Sends the most expensive requests to a mock server, and measures how long they block its event loop: the CPU time of
 * the longest turn, and a health check's longest wait, which also depends on other programs on the machine.
 */
export default async function (): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const fairCase of cases) figures.push(await measure(fairCase))
  return figures
}

async function measure({ what, prepare }: FairCase): Promise<Figure> {
  const server = await startServer()
  try {
    const send = await prepare(server)
    await longestTurn(server)
    const { longest, total } = await measureStall(server.url, send)
    const turn = await longestTurn(server)
    const found = `${turn.toFixed(0)} ms of CPU time; check: ${longest.toFixed(0)} ms; request: ${(total / 1000).toFixed(1)} s`
    process.stderr.write(`  ${what}: ${found}\n`)
    return { what, found, limit: `at most ${aim} ms of CPU time`, isWithin: turn <= aim }
  } finally {
    server.child.kill()
  }
}
