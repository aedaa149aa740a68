import { NotFoundError, ServiceClient, ServiceError } from 'health-lab-sdk'
import {
  ExploreError,
  type ExploreOptions,
  type ExploreTools,
  explore,
  type Invariants,
} from 'health-lab-sdk/mock/explore'
import { expect, it } from 'vitest'
import { base, orderOf, patient, receive } from './corpus/kit.ts'

const quiet = { print: () => {}, budget: { runs: 100 } }

/** Returns the error of an exploration that must fail. */
async function failureOf(running: Promise<unknown>): Promise<ExploreError> {
  const error = await running.catch((reason: unknown) => reason)
  if (error instanceof ExploreError) return error
  throw error
}

it('reports one failure for each cause with the option all, and replays each', async () => {
  const options = {
    ...quiet,
    budget: { runs: 50 },
    all: true,
    setup: base,
    scenario: async (context: ReturnType<typeof base> & ExploreTools) => {
      const create = () => context.client.orders.create(orderOf(context))
      await create().catch(create)
      await context.client.link.listProviders().catch(() => {
        throw new Error('no providers')
      })
      await context.client.labTests.list().then(({ data }) => data[0]?.name?.trim())
    },
    check: ({ team }: ExploreTools) => {
      if (team.orders.size === 0) throw new Error('no order')
    },
  }
  const { findings, message } = await failureOf(explore(options))
  const rules = findings.map(({ violation }) => violation)
  expect(rules).toEqual(expect.arrayContaining(['doubled', 'unsafeRetries']))
  expect(findings.every(({ line }) => line?.startsWith('test/explore/findings.test.ts:'))).toBe(
    true,
  )
  expect(message).toContain('Failures with other causes:')
  for (const { replay, violation, line } of findings) {
    const error = await failureOf(explore.replay(replay, options))
    expect([error.violation, error.line]).toEqual([violation, line])
  }
})

it('reports a difference between equal runs, and not as a failure', async () => {
  let runs = 0
  const { ended, nondeterminism } = await explore({
    ...quiet,
    setup: base,
    scenario: async ({ client }) => {
      runs += 1
      await client.link.listProviders()
      if (runs === 2) await client.labTests.list()
    },
  })
  expect(ended).toBe('complete')
  expect(nondeterminism).toEqual([expect.stringMatching(/differ in step 2.*labTests\.list/)])
})

it('reports a run that fails only once as nondeterminism', async () => {
  let checks = 0
  const { ended, nondeterminism } = await explore({
    ...quiet,
    scenario: ({ connection }) => new ServiceClient(connection).link.listProviders(),
    check: () => {
      checks += 1
      if (checks === 3) throw new Error('once')
    },
  })
  expect(ended).toBe('complete')
  expect(nondeterminism).toEqual([expect.stringMatching(/^A run failed, but passed when .*once$/)])
})

it('switches off what the service may do, all of it or one by one', async () => {
  const options = {
    ...quiet,
    setup: (tools: ExploreTools) => ({ ...base(tools), names: new Set<string>() }),
    scenario: async ({ client, names }: ReturnType<typeof base> & { names: Set<string> }) => {
      for (const { id } of (await client.labTests.list()).data) names.add(id)
    },
    check: ({ names, team }: { names: Set<string> } & ExploreTools) => {
      if (names.size > 0 && names.size < team.catalogue.labTests.size) throw new Error('missing')
    },
  }
  expect((await failureOf(explore(options))).replay).toBe('v1 1 environment:run#1=small_pages')
  const without = {
    small_pages: false,
    changing_pages: false,
    empty_pages: false,
    empty_first_page: false,
  }
  expect(await explore({ ...options, environment: without })).toMatchObject({ ended: 'complete' })
  expect(await explore({ ...options, environment: false })).toMatchObject({ ended: 'complete' })
  await expect(explore({ ...options, environment: { pages: false } })).rejects.toThrow('pages')
})

it('restores what a crashed program changes before it starts again, and keeps what it had changed', async () => {
  const seen: string[][] = []
  await explore.replay('v1 1 request:link.listProviders#1=crash_after', {
    ...quiet,
    setup: (tools) => ({ ...base(tools), log: ['setup'], later: new Map([['state', 'new']]) }),
    scenario: async ({ client, log, later }) => {
      log.push('scenario')
      later.set('state', 'begun')
      const other = new Promise((resolve) => setTimeout(resolve, 1)).then(() => log.push('timer'))
      setImmediate(() => log.push('immediate'))
      await Promise.all([other, client.link.listProviders()])
      log.push('end')
    },
    restart: ({ log, later }) => {
      seen.push([...log, ...later.values()])
    },
  })
  expect(seen).toEqual([['setup', 'scenario', 'begun']])
})

it('restarts a program whose context contains frozen lists', async () => {
  let restarts = 0
  await explore.replay('v1 1 request:link.listProviders#1=crash_after', {
    ...quiet,
    // The mock's records are frozen, and orders contain lists.
    setup: (tools) => ({ ...base(tools), order: tools.team.orders.create() }),
    scenario: async ({ client }) => {
      await client.link.listProviders()
    },
    restart: () => {
      restarts += 1
    },
  })
  expect(restarts).toBe(1)
})

it('revokes the stores of a crashed program', async () => {
  class Database {
    readonly rows: string[] = []
    async insert(row: string) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      this.rows.push(row)
      return row
    }
    begin() {
      return this
    }
    close() {}
  }
  const rows: string[][] = []
  const isFenced: boolean[] = []
  await explore.replay('v1 1 delivery:daily.data.activity.created#1=crash_after_response', {
    ...quiet,
    setup: (tools) => {
      const context = { ...base(tools), database: tools.fence(new Database()) }
      isFenced.push(context.database.begin() === context.database)
      receive(tools, async ({ id }) => {
        void context.database.insert(`first ${id}`).then(() => context.database.insert('second'))
      })
      return context
    },
    scenario: async ({ team }) => {
      team.users.create({ user_id: patient })
      team.trigger('daily.data.activity.created', { user_id: patient })
      await team.webhooks.idle()
    },
    restart: async ({ database }) => {
      await database.insert('restart')
    },
    check: ({ database }) => {
      rows.push([...database.rows])
    },
  })
  expect(rows.at(-1)).toEqual(['restart'])
  expect(new Set(isFenced)).toEqual(new Set([true]))
})

it('deletes the user before a request, and judges only the built-in rules', async () => {
  const problems: unknown[] = []
  const { ended } = await explore.replay('v1 1 request:users.createSignInToken#1=user_deleted', {
    ...quiet,
    setup: (tools) => {
      tools.team.users.create({ user_id: patient })
      return base(tools)
    },
    scenario: async ({ client }) => {
      await client.users.createSignInToken(patient).catch((error) => problems.push(error))
    },
    check: ({ team }) => {
      if (!team.users.get(patient)) throw new Error('no user')
    },
  })
  expect(ended).toBe('complete')
  expect(problems.at(-1)).toBeInstanceOf(NotFoundError)
  expect(problems.at(-1)).toBeInstanceOf(ServiceError)
})

it('allows a doubled record of one operation only', async () => {
  const options: ExploreOptions<ReturnType<typeof base>> = {
    ...quiet,
    setup: base,
    scenario: async (context) => {
      const create = () => context.client.orders.create(orderOf(context))
      await create().catch(create)
    },
  }
  const line = 'v1 1 request:orders.create#1=lose_response'
  const replayWith = (doubled: NonNullable<Invariants['doubled']>) =>
    explore.replay(line, { ...options, invariants: { doubled, unsafeRetries: false } })
  await expect(replayWith({ 'link.bulkImport': false })).rejects.toThrow('2 identical orders')
  expect(await replayWith({ 'orders.create': false })).toMatchObject({ ended: 'complete' })
  // @ts-expect-error It creates nothing.
  await expect(replayWith({ 'orders.get': false })).rejects.toThrow('orders.get')
})

it('reports the error of a timer, which ends a process', async () => {
  const options = {
    ...quiet,
    setup: base,
    scenario: async ({ client }: ReturnType<typeof base>) => {
      const read = client.link.listProviders()
      await read.catch(() => {
        setTimeout(() => {
          throw new Error('late')
        })
      })
    },
  }
  const { violation, message } = await failureOf(explore(options))
  expect(violation).toBe('rejections')
  expect(message).toContain('An unhandled error would end the process: late')
})

it.each(['scenario', 'check'])(
  'reports a value that cannot be read if %s throws it',
  async (name) => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const fail = () => {
      throw proxy
    }
    const options = { ...quiet, scenario: () => {}, [name]: fail }
    const { message } = await failureOf(explore(options))
    expect(message).toContain('a value that cannot be converted to a string')
  },
)
