import type { ConnectionRecipe } from 'health-lab-sdk'
import { DurableError, type DurableWrites } from 'health-lab-sdk/durable'

/** Imports a day's connections. Cron may start it again while the previous run is in progress. */
export async function importDay(writes: DurableWrites, day: string, recipes: ConnectionRecipe[]) {
  try {
    const options = { whenBusy: 'throw' } as const
    const report = await writes.link.bulkImportAll(`import-${day}`, 'oura', recipes, options)
    console.log(`${report.sent} sent, ${report.unknown} unknown`)
  } catch (error) {
    if (!(error instanceof DurableError) || error.code !== 'busy') throw error
    console.log('another run is in progress')
  }
  const open = await writes.unresolved()
  return open.filter(({ state }) => state === 'unresolved').map(({ id }) => id)
}
