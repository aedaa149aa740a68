import { existsSync, rmSync } from 'node:fs'
import { playDay } from './day.ts'
import { createDayProject } from './programs.ts'
import { startReceiver } from './receiver.ts'

/**
 * Plays a team's day with programs in two languages and one mock server, and prints the steps: `npm run lab day`. Needs
 * the built package. Exits with 1 when a step fails.
 */
if (!existsSync('dist/cli.js')) {
  console.error('The package is not built. Build it first: npm run build')
  process.exit(1)
}
// Starts with a wrong secret. The day includes finding this mistake.
const receiver = await startReceiver('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
const project = createDayProject(receiver.url)
try {
  await playDay(project, receiver)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  receiver.close()
  rmSync(project, { recursive: true, force: true })
}
