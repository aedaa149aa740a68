import { createMock } from '../../../mock/index.ts'
import type { ScalingCase } from '../scaling-case.ts'
import { orderIds, send, teamWithUsers, userIds } from './support.ts'

export const recordCases: Record<string, ScalingCase> = {
  teams: {
    what: 'Teams without requests',
    growth: 'linear',
    size: 4000,
    prepare: (size) => {
      const mock = createMock()
      return () => {
        for (let at = 0; at < size; at += 1) mock.team()
        return mock
      }
    },
  },
  users: {
    what: 'Users without personal data',
    growth: 'linear',
    size: 64_000,
    prepare: (size) => {
      const { team } = teamWithUsers(0)
      return () => {
        for (let at = 0; at < size; at += 1) team.users.create({ info: null })
        return team
      }
    },
  },
  people: {
    what: 'Users with generated personal data that is never read',
    growth: 'linear',
    size: 64_000,
    prepare: (size) => {
      const team = createMock().team()
      return () => {
        for (let at = 0; at < size; at += 1) team.users.create()
        return team
      }
    },
  },
  requests: {
    what: 'Requests: 1,000 requests for one user, in a team of the given size',
    growth: 'constant',
    size: 64_000,
    prepare: (size) => {
      const { team, ids } = teamWithUsers(size)
      return async () => {
        for (let at = 0; at < 1000; at += 1) {
          await send(team, 'POST', `/v2/user/${ids[0]}/sign_in_token`)
        }
      }
    },
  },
  connections: {
    what: 'Connections and their events',
    growth: 'linear',
    size: 16_000,
    prepare: (size) => {
      const { team, ids } = teamWithUsers(size, { outboxLimit: 10_000_000 })
      return () => {
        for (const user_id of ids) team.connections.create({ user_id, provider: 'oura' })
        return team
      }
    },
  },
  connectionsWithRows: {
    what: 'Connections of users with added data rows',
    growth: 'linear',
    size: 8000,
    prepare: (size) => {
      const { team, ids } = teamWithUsers(size)
      for (const user_id of ids) team.data.create({ user_id, resource: 'sleep' })
      return () => {
        for (const user_id of ids) team.connections.create({ user_id, provider: 'oura' })
      }
    },
  },
  orders: {
    what: 'Orders',
    growth: 'linear',
    size: 8000,
    prepare: (size) => {
      const team = createMock().team()
      return () => orderIds(team, size)
    },
  },
  journal: {
    what: 'Journal: requests and their responses',
    growth: 'linear',
    size: 8000,
    prepare: (size) => {
      const team = createMock({ journalLimit: 1_000_000, journalBytes: 1e9 }).team()
      return async () => {
        for (let at = 0; at < size; at += 1) await send(team, 'GET', '/v2/link/bulk_op')
        return team
      }
    },
  },
  snapshots: {
    what: 'Snapshots: take and restore, by number of users',
    growth: 'linear',
    size: 32_000,
    prepare: (size) => {
      const { team } = teamWithUsers(size)
      return () => team.restore(team.snapshot())
    },
  },
  rows: {
    what: "Health data: add a row for a user and list the user's rows",
    growth: 'linear',
    size: 16_000,
    prepare: (size) => {
      const { team, ids } = teamWithUsers(size)
      return () => {
        for (const user_id of ids) {
          team.data.create({ user_id, resource: 'sleep' })
          team.data.list({ user_id })
        }
      }
    },
  },
  faults: {
    what: 'Faults: add and remove',
    growth: 'linear',
    size: 64_000,
    prepare: (size) => {
      const team = createMock().team()
      return () => {
        const faults = Array.from({ length: size }, () =>
          team.faults.add({ then: { status: 500 } }),
        )
        for (const fault of faults) fault.remove()
      }
    },
  },
  restoredFaults: {
    what: 'Faults: reproduce a team',
    growth: 'linear',
    size: 200_000,
    prepare: (size) => {
      const fault = { then: { status: 500 } }
      const team = createMock().team()
      const text = team.reproduction()
      const faults = Array.from({ length: size }, (_, at) => {
        return { id: at + 1, fault, counts: {}, useCount: 0 }
      })
      const state = JSON.parse(text.slice(text.indexOf('.reproduce(') + 11, -1))
      const mock = createMock()
      return () => mock.reproduce({ ...state, apiKey: 'sk_other', faults })
    },
  },
  bookingKeys: {
    what: 'Bookings: create 20,000 keys in a team with the given number of unused keys',
    growth: 'constant',
    size: 160_000,
    prepare: (size) => {
      const { bookings } = createMock().team()
      for (let at = 0; at < size; at += 1) bookings.key()
      return () => {
        for (let at = 0; at < 20_000; at += 1) bookings.key()
      }
    },
  },
  cache: {
    what: 'Health data: generate summaries for users',
    growth: 'linear',
    size: 160,
    prepare: (size) => {
      const team = createMock().team()
      const ids = userIds(team, size)
      const query = 'start_date=2025-05-01&end_date=2025-05-02'
      return async () => {
        for (const id of ids) await send(team, 'GET', `/v2/summary/sleep/${id}?${query}`)
      }
    },
  },
}
