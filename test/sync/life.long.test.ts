import { describe, expect, it } from 'vitest'
import { createMock, explainDifference } from '../../mock/index.ts'
import { eventHandler } from '../../src/events/index.ts'
import { ServiceClient } from '../../src/index.ts'
import { createSync } from '../../src/sync/index.ts'
import { sampled } from '../support/long-tests.ts'
import { databaseNames, useServers } from '../support/stores.ts'
import { syncedRows } from '../support/synced.ts'

const { databases } = useServers(sampled(databaseNames, 4))
let count = 0

describe.each(databases)('createSync with $name', ({ isThere, db }) => {
  const test = it.skipIf(!isThere)

  async function prepare() {
    count += 1
    const schema = `life_${count}`
    const team = createMock({ seed: count, living: true }).team()
    const client = new ServiceClient(team.connection())
    const sync = createSync({ client, database: db(), schema })
    await sync.migrate()
    const errors: unknown[] = []
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const onError = (error: unknown) => errors.push(error)
    const handler = eventHandler({ secrets: secret, ...sync.listeners, onError })
    return { schema, team, sync, handler, secret, errors }
  }

  test('stores what living users send, whatever happens to the deliveries', async () => {
    const { schema, team, handler, secret, errors } = await prepare()
    team.webhooks.add({
      ...{ secret, handler, duplicates: 0.2, reorder: 12, lostResponses: 0.1 },
      ...{ wrongSignatures: 0.05, delay: '20m', concurrency: 4 },
    })
    const { user_id } = team.users.create({ living: true })
    await team.clock.advance('1d')
    // Nothing new arrives, and all deliveries come to their end.
    team.users.delete(user_id)
    await team.clock.advance('2d')
    expect(
      errors.map((error) => Object(error).code).filter((code) => code !== 'signature_invalid'),
    ).toEqual([])
    const rows = await syncedRows(db(), schema)
    expect(rows.length).toBeGreaterThan(3_000)
    expect(explainDifference(team, rows)?.message).toBeUndefined()
  })
})
