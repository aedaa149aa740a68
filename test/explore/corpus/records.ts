import { NotFoundError } from 'health-lab-sdk'
import { base, info, insurance, integration, patient, recipeOf, withUsers } from './kit.ts'

type Users = ReturnType<typeof withUsers>

/** Programs that write users, insurances and connections, each with a bug. */
export const flawedRecords = [
  integration('creates the insurance again after any error', {
    setup: base,
    scenario: async ({ client, db }) => {
      const create = () => client.insurance.create(patient, insurance)
      const { member_id } = await create().catch(create)
      db.insurances.add(member_id)
    },
  }),
  integration('creates the insurance again after a crash', {
    setup: base,
    scenario: createInsurance,
    restart: async (context) => {
      if (context.db.insurances.size === 0) await createInsurance(context)
    },
  }),
  integration('reports a profile as saved although one of two calls failed', {
    setup: base,
    scenario: async ({ client, db }) => {
      await Promise.allSettled([
        client.users.updateInfo(patient, info),
        client.insurance.create(patient, insurance),
      ])
      db.jobs.set('profile', 'saved')
    },
    check: ({ db, team }) => {
      const isSaved = team.users.get(patient)?.info && team.insurances.size === 1
      if (db.jobs.get('profile') === 'saved' && !isSaved) throw new Error('not saved')
    },
  }),
  integration('ignores that an update failed', {
    setup: base,
    scenario: async ({ client, db }) => {
      await client.users.updateInfo(patient, info).catch(() => {})
      db.jobs.set('profile', 'saved')
    },
    check: ({ db, team }) => {
      const isSaved = team.users.get(patient)?.info
      if (db.jobs.get('profile') === 'saved' && !isSaved) throw new Error('not saved')
    },
  }),
  integration('takes a 202 for a completed import', {
    setup: withUsers,
    scenario: async ({ client, db, users, team }) => {
      await client.link.bulkImport({
        provider: 'oura',
        connections: users.map(recipeOf),
        wait_for_completion: true,
      })
      for (const user of users) db.connections.add(user)
      // The next step of the program needs the connections.
      if (team.connections.size < users.length) throw new Error('not connected yet')
    },
    check: ({ db, team }) => {
      if (db.connections.size > 0 && db.jobs.size === 0 && wasEarly(team)) throw new Error('early')
    },
  }),
  integration('imports again after any error', {
    setup: withUsers,
    scenario: async ({ client, db, users }) => {
      const send = () =>
        client.link.bulkImport({ provider: 'oura', connections: users.map(recipeOf) })
      await send().catch(send)
      for (const user of users) db.connections.add(user)
    },
  }),
  integration('stores the checkpoint of an import before it sends the batch', {
    setup: withUsers,
    scenario: (context) => importBatches(context, 'before'),
    restart: (context) => importBatches(context, 'before'),
    check: everyoneIsImported,
  }),
  integration('continues an import from the start', {
    setup: withUsers,
    scenario: (context) => importBatches(context, 'after'),
    restart: async (context) => {
      context.db.cursor = 0
      await importBatches(context, 'after')
    },
  }),
  integration('sends the last batch of an import again after a crash', {
    setup: withUsers,
    scenario: (context) => importBatches(context, 'after'),
    restart: (context) => importBatches(context, 'after'),
  }),
  integration('continues an import one recipe too late', {
    setup: withUsers,
    scenario: (context) => importBatches(context, 'after'),
    restart: async (context) => {
      context.db.cursor += 1
      await importBatches(context, 'after')
    },
    invariants: { doubled: false, unsafeRetries: false },
    check: everyoneIsImported,
  }),
  integration('goes on to the next batch when one fails', {
    setup: withUsers,
    scenario: async ({ client, db, users }) => {
      for (let first = 0; first < users.length; first += 2) {
        const connections = users.slice(first, first + 2).map(recipeOf)
        await client.link.bulkImport({ provider: 'oura', connections }).catch(() => {})
      }
      db.jobs.set('import', 'complete')
    },
    check: ({ db, team, users }) => {
      if (db.jobs.get('import') === 'complete' && team.connections.size < users.length) {
        throw new Error('users are missing')
      }
    },
  }),
  integration('ignores the users that an import failed for', {
    setup: withUsers,
    scenario: async ({ client, db, users }) => {
      const all = [...users, '00000000-0000-4000-8000-000000000001']
      await client.link.bulkImport({
        provider: 'oura',
        connections: all.map(recipeOf),
        wait_for_completion: true,
      })
      for (const user of all) db.connections.add(`${user}/oura`)
    },
    check: ({ db }) => ({ stored: { connections: [...db.connections] } }),
  }),
  integration('ignores that a connection was not deleted', {
    setup: connectedUser,
    scenario: async ({ client, db }) => {
      await client.link.deleteConnection(patient, 'oura').catch(() => {})
      db.connections.delete(`${patient}/oura`)
    },
    check: ({ db, team }) => {
      if (team.connections.size !== db.connections.size) throw new Error('another state')
    },
  }),
  integration('keeps a deleted connection after the 404 of a second attempt', {
    setup: connectedUser,
    scenario: async ({ client, db }) => {
      try {
        await client.link.deleteConnection(patient, 'oura')
        db.connections.delete(`${patient}/oura`)
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error
        db.jobs.set('delete', 'failed')
      }
    },
    check: ({ db, team }) => {
      if (db.jobs.get('delete') === 'failed' && team.connections.size === 0) {
        throw new Error('it is deleted')
      }
    },
  }),
]

function connectedUser(tools: Parameters<typeof base>[0]) {
  tools.team.users.create({ user_id: patient })
  tools.team.connections.create({ user_id: patient, provider: 'oura' })
  const context = base(tools)
  context.db.connections.add(`${patient}/oura`)
  return context
}

async function createInsurance({ client, db }: ReturnType<typeof base>): Promise<void> {
  const { member_id } = await client.insurance.create(patient, insurance)
  db.insurances.add(member_id)
}

async function importBatches(
  { client, db, users }: Users,
  checkpoint: 'before' | 'after',
): Promise<void> {
  while (db.cursor < users.length) {
    const connections = users.slice(db.cursor, db.cursor + 2).map(recipeOf)
    if (checkpoint === 'before') db.cursor += 2
    await client.link.bulkImport({ provider: 'oura', connections })
    if (checkpoint === 'after') db.cursor += 2
  }
  db.jobs.set('import', 'complete')
}

function everyoneIsImported({ db, team, users }: Users & { team: Team }): void {
  if (db.jobs.get('import') === 'complete' && team.connections.size < users.length) {
    throw new Error('users are missing')
  }
}

type Team = Parameters<typeof base>[0]['team']

/** Whether the response of an import was 202. */
function wasEarly({ journal }: Team): boolean {
  return journal.requests('link.bulkImport').some(({ response }) => response?.status === 202)
}
