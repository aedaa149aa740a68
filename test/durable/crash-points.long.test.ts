import { describe, expect, it } from 'vitest'
import { createMock, type Team } from '../../mock/index.ts'
import { type DurableError, type DurableWrites, durable } from '../../src/durable/index.ts'
import { ServiceClient } from '../../src/index.ts'
import type { Store } from '../../src/stores/index.ts'
import { insuranceBody, orderBody, recipe } from '../support/bodies.ts'
import { Boundaries, dyingConnection, dyingStore } from '../support/programs/dying.ts'
import { useServers } from '../support/stores.ts'

const { stores } = useServers()

/** A durable write, and what it leaves in the service. */
interface Subject {
  operation: string
  prepare(team: Team): { run: (writes: DurableWrites) => Promise<unknown>; count: () => number }
  /** How often it exists when it is complete. */
  complete: number
  /** Whether a crash may leave it unresolved. */
  mayBeUnresolved: boolean
}

const subjects: Subject[] = [
  {
    operation: 'orders.create',
    complete: 1,
    mayBeUnresolved: false,
    prepare(team) {
      const body = orderBody(team.catalogue.labTests.list()[0]?.id ?? '')
      team.users.create({ user_id: body.user_id })
      return {
        run: (writes) => writes.orders.create('one', body),
        count: () => team.orders.size,
      }
    },
  },
  {
    operation: 'orders.bookAndWait',
    complete: 1,
    // Nothing shows whether an intent was sent.
    mayBeUnresolved: true,
    prepare(team) {
      const { id } = team.orders.create()
      const booking = { booking_key: team.bookings.key(), async_confirmation: true }
      return {
        run: async (writes) => {
          const found = await writes.orders.bookAndWait('one', id, booking)
          if (found.result === 'unresolved') throw found.error
          return found
        },
        count: () => team.appointments.size,
      }
    },
  },
  {
    operation: 'insurance.create',
    complete: 1,
    mayBeUnresolved: true,
    prepare(team) {
      const { user_id } = team.users.create()
      return {
        run: (writes) => writes.insurance.create('one', user_id, insuranceBody()),
        count: () => team.insurances.size,
      }
    },
  },
  {
    operation: 'link.bulkImportAll',
    complete: 6,
    mayBeUnresolved: true,
    prepare(team) {
      const recipes = Array.from({ length: 6 }, () => recipe(team.users.create().user_id))
      const options = { batchSize: 2, concurrency: 2, waitForCompletion: true }
      return {
        run: (writes) => writes.link.bulkImportAll('one', 'oura', recipes, options),
        count: () => team.bulkOps.list().reduce((sum, { total }) => sum + total, 0),
      }
    },
  },
]

/** Runs the write in a process that dies at a boundary; returns whether it died. */
async function crash(
  { team, store }: { team: Team; store: Store },
  last: number,
  run: (writes: DurableWrites) => Promise<unknown>,
): Promise<boolean> {
  const boundaries = new Boundaries(last)
  const client = new ServiceClient(dyingConnection(team.connection(), boundaries))
  const writes = durable(client, { store: dyingStore(store, boundaries) })
  return Promise.race([run(writes).then(() => false), boundaries.death.then(() => true)])
}

describe.each(stores.filter(({ name }) => !/Client|^postgres|ioredis/.test(name)))(
  'with a store in $name',
  ({ isThere, make }) => {
    it.skipIf(!isThere).each(subjects)(
      '$operation has one effect and one outcome, wherever its process dies',
      async ({ operation, prepare, complete, mayBeUnresolved }) => {
        let unresolved = 0
        for (let last = 1; ; last += 1) {
          const team = createMock().team()
          const store = await make()
          const { run, count } = prepare(team)
          const died = await crash({ team, store }, last, run)
          const writes = durable(new ServiceClient(team.connection()), { store })
          const again = () => run(writes).catch(({ code }: DurableError) => ({ code }))
          const result = await again()
          expect(await again()).toEqual(result)
          const [open, ...others] = await writes.unresolved()
          expect(others).toEqual([])
          if (open) {
            unresolved += 1
            expect(open).toMatchObject({ id: 'one', operation, state: 'unresolved' })
            const isPartial = operation === 'link.bulkImportAll'
            expect(result).toMatchObject(isPartial ? { ranges: {} } : { code: 'unresolved' })
            expect(count()).toBeLessThanOrEqual(complete)
          } else {
            expect(result).not.toHaveProperty('code')
            expect(count()).toBe(complete)
          }
          if (!died) break
        }
        expect(unresolved > 0).toBe(mayBeUnresolved)
      },
    )
  },
)
