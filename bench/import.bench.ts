import { createMock } from '../mock/index.ts'
import { type ConnectionRecipe, ServiceClient } from '../src/index.ts'
import { cpuTime, type Figure, heap, megabytes } from './figure.ts'

const users = 1000

/** Generates the recipes on demand. Calls `onProgress` with the count after every 10,000 recipes. */
function* recipes(
  connections: number,
  userIds: string[],
  onProgress: (count: number) => void,
): Generator<ConnectionRecipe> {
  for (let at = 0; at < connections; at += 1) {
    if (at > 0 && at % 10_000 === 0) onProgress(at)
    yield {
      user_id: userIds[at % users] as string,
      access_token: `access-${at}`,
      refresh_token: `refresh-${at}`,
      provider_id: `provider-${at}`,
      expires_at: 2_147_483_647,
    }
  }
}

export default async function (isFull: boolean): Promise<Figure[]> {
  const connections = isFull ? 1_000_000 : 100_000
  // The default journal would keep all recipes in memory.
  const team = createMock({ journalLimit: 10 }).team()
  const userIds = Array.from({ length: users }, () => team.users.create().user_id)
  const client = new ServiceClient(team.connection())
  let early = 0
  let late = 0
  let imported = 0
  const milliseconds = await cpuTime(1, async () => {
    const source = recipes(connections, userIds, (count) => {
      if (count === connections / 10) early = heap()
      if (count === connections - 10_000) late = heap()
    })
    const report = await client.link.bulkImportAll('oura', source, { waitForCompletion: true })
    imported = report.imported
  })
  if (imported !== connections) throw new Error(`Only ${imported} connections were imported.`)
  // For each imported connection, the mock keeps only a pointer to the connection's user.
  return [
    megabytes(
      `Heap growth while bulkImportAll imports ${connections.toLocaleString('en-US')} connections`,
      late - early,
      16,
    ),
    {
      what: 'CPU time to import a connection into the mock with bulkImportAll',
      found: `${((milliseconds / connections) * 1000).toFixed(1)} µs`,
    },
  ]
}
