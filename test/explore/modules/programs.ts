import { appendFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ExploreContext, ExploreOptions, ExploreTools } from '../../../mock/explore.ts'
// Threads and processes do not read the paths of tsconfig.json.
import { NotFoundError, type OrderInput, ServiceClient } from '../../../src/index.ts'

/** The database of the programs is a file, which survives their threads and processes. */
interface Files {
  file: string
  order: OrderInput
}

const contact = { email: 'maria@example.com', phone_number: '+16025550100' }
const place = { city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' }

const setup = ({ team }: ExploreTools): Files => ({
  file: join(mkdtempSync(join(tmpdir(), 'explore-')), 'orders'),
  order: {
    user_id: '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55',
    patient_details: {
      first_name: 'Maria',
      last_name: 'Lopez',
      dob: '1954-03-08',
      gender: 'female',
      ...contact,
    },
    patient_address: { first_line: '1 Main Street', ...place },
    order_set: {
      lab_test_ids: [team.catalogue.labTests.list({ method: 'at_home_phlebotomy' })[0]?.id ?? ''],
    },
  },
})

function linesOf({ file }: Files): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

const check = (files: Files) => ({ stored: { orders: [...new Set(linesOf(files))] } })

/** Creates each order once, in spite of failures and crashes. */
function ordering(count: number) {
  return async (context: ExploreContext<Files>): Promise<void> => {
    const { connection, file, order } = context
    const client = new ServiceClient(connection)
    for (let stored = linesOf(context).length; stored < count; stored = linesOf(context).length) {
      try {
        const idempotencyKey = `visit-${stored + 1}`
        const created = await client.orders.create(order, { idempotencyKey })
        appendFileSync(file, `${created.order.id}\n`)
      } catch (error) {
        // The user was deleted.
        if (error instanceof NotFoundError) return
        await connection.clock?.sleep(60_000)
      }
    }
  }
}

/** How often a run looked for due events. */
let reads = 0

const programs: Record<string, ExploreOptions<Files>> = {
  /** Forgets an order whose response is lost. */
  forgets: {
    setup,
    scenario: async ({ connection, file, order }) => {
      const created = await new ServiceClient(connection).orders.create(order)
      appendFileSync(file, `${created.order.id}\n`)
    },
    restart: () => {},
    check,
  },
  /** Has no bug. */
  correct: { setup, scenario: ordering(1), restart: ordering(1), check },
  /** Has no bug, and many combinations of faults. */
  long: { setup, scenario: ordering(5), restart: ordering(5), check },
  /** Goes on after a crash, unless something ends it. */
  survives: {
    setup,
    scenario: async ({ connection, file }) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        appendFileSync(file, 'scenario\n')
        port2.postMessage('')
      }
      port2.postMessage('')
      await new ServiceClient(connection).link.listProviders()
      port1.close()
    },
    restart: async ({ file }) => {
      appendFileSync(file, 'restart\n')
      await wait(20)
    },
    check: (files) => {
      const lines = linesOf(files)
      const restart = lines.indexOf('restart')
      if (restart >= 0 && lines.indexOf('scenario', restart) >= 0) throw new Error('it survived')
    },
  },
  /** Waits for a value that never comes, in a loop that only uses microtasks. */
  blocks: {
    setup,
    scenario: async ({ connection }) => {
      const client = new ServiceClient(connection)
      let providers: unknown[] | undefined
      await client.link.listProviders().then(
        (all) => (providers = all),
        () => {},
      )
      while (!providers) await null
    },
  },
  /** A timer throws an error after a failure. */
  throwsLater: {
    setup,
    scenario: async ({ connection }) => {
      const client = new ServiceClient(connection)
      await client.link.listProviders({}, { maxRetries: 0 }).catch(async () => {
        setTimeout(() => {
          throw new Error('nobody handles this')
        })
        await wait(20)
      })
    },
  },
  /** Ends before a timer that creates an order. */
  endsEarly: {
    setup,
    scenario: ({ connection, file, order }) => {
      setTimeout(async () => {
        const created = await new ServiceClient(connection).orders.create(order)
        appendFileSync(file, `${created.order.id}\n`)
      }, 40)
    },
    check: (files) => {
      if (linesOf(files).length === 0) throw new Error('the timer did not fire')
    },
  },
  /** Throws an error that is its own cause. */
  circular: {
    setup,
    scenario: () => {
      const error = new Error('a circle')
      throw Object.assign(error, { cause: error })
    },
  },
  /** Throws a value that cannot be read. */
  unreadable: {
    setup,
    scenario: () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      throw proxy
    },
  },
  /** Rejects with a value that cannot be read, and handles no rejection. */
  unreadableLater: {
    setup,
    scenario: async () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      void Promise.reject(proxy)
      await wait(20)
    },
  },
  /** Has a context that no other process can receive. */
  shares: {
    setup: (tools) => Object.assign(setup(tools), { shared: new SharedArrayBuffer(4) }),
    scenario: () => {},
  },
  /** Fails if the run goes on after everything has ended. */
  isFinished: {
    setup: (tools) => {
      const { clock } = tools.team
      const pending = clock.pending.bind(clock)
      clock.pending = () => {
        reads += 1
        return pending()
      }
      return setup(tools)
    },
    scenario: async ({ connection }) => {
      await new ServiceClient(connection).link.listProviders()
    },
    check: () => {
      if (reads > 50) throw new Error(`The run went on for ${reads} rounds.`)
    },
  },
  /** Ends its process. */
  exits: { setup, scenario: () => process.exit(3) },
}

const name = new URL(import.meta.url).searchParams.get('program') ?? ''
if (name === 'hangs') await new Promise(() => {})

export default programs[name]
