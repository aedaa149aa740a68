import { base, integration, patient } from './kit.ts'

/** Programs that read from the service, each with a bug. */
export const flawedReads = [
  integration('takes the failure of a page for the end of the list', {
    setup: (tools) => ({ ...base(tools), markers: new Set<number>() }),
    scenario: async ({ client, db, markers }) => {
      for (let page = 1; ; page += 1) {
        const found = await client.labTests
          .listMarkers({ page, size: 20 }, { maxRetries: 0 })
          .catch(() => undefined)
        for (const { id } of found?.markers ?? []) markers.add(id)
        if (!found || found.markers.length < 20) break
      }
      db.jobs.set('markers', 'complete')
    },
    check: ({ db, markers, team }) => {
      const isComplete = markers.size === team.catalogue.markers.size
      if (db.jobs.get('markers') === 'complete' && !isComplete) throw new Error('missing')
    },
  }),
  integration('reads only the first page', {
    setup: (tools) => ({ ...base(tools), markers: new Set<number>() }),
    scenario: async ({ client, markers }) => {
      const { markers: found } = await client.labTests.listMarkers({ size: 20 })
      for (const { id } of found) markers.add(id)
    },
    check: ({ markers, team }) => {
      if (markers.size !== team.catalogue.markers.size) throw new Error('missing')
    },
  }),
  integration('deletes every provider when the list cannot be read', {
    setup: (tools) => ({ ...base(tools), providers: new Set<string>(['oura']) }),
    scenario: async ({ client, providers }) => {
      const found = await client.link.listProviders().catch(() => [])
      providers.clear()
      for (const { slug } of found) providers.add(slug)
    },
    check: ({ providers }) => {
      if (providers.size === 0) throw new Error('all providers are gone')
    },
  }),
  integration('writes zeros when a query fails', {
    setup: (tools) => ({ ...base(tools), report: new Map<string, number>() }),
    scenario: async ({ client, report }) => {
      const nights = await client.summaries
        .list(patient, 'sleep', { start_date: '2025-05-01', end_date: '2025-05-31' })
        .catch(() => ({ sleep: [] }))
      report.set('nights', nights.sleep.length)
    },
    check: ({ report }) => {
      if (report.get('nights') === 0) throw new Error('no nights')
    },
  }),
  integration('moves the date of the last synchronization although it failed', {
    setup: (tools) => ({ ...base(tools), nights: new Set<string>() }),
    scenario: async ({ client, db, nights }) => {
      try {
        const range = { start_date: '2025-05-01', end_date: '2025-05-31' }
        const { sleep } = await client.summaries.list(patient, 'sleep', range)
        for (const { id } of sleep) nights.add(id ?? '')
      } finally {
        db.jobs.set('synchronized', '2025-05-31')
      }
    },
    check: ({ db, nights }) => {
      if (db.jobs.has('synchronized') && nights.size === 0) throw new Error('nothing is stored')
    },
  }),
  integration('stores half of a synchronization and does not continue it', {
    setup: (tools) => ({ ...base(tools), months: new Set<string>() }),
    scenario: synchronizeMonths,
    restart: ({ db }) => void db.jobs.set('months', 'complete'),
    check: ({ db, months }) => {
      if (db.jobs.get('months') === 'complete' && months.size < 3) throw new Error('missing')
    },
  }),
  integration('sends requests again without a limit', {
    setup: base,
    scenario: async ({ client }) => {
      for (;;) {
        try {
          await client.users.createSignInToken(patient)
          return
        } catch {
          // It works at some time.
          await askForMarkers(client)
        }
      }
    },
    check: ({ team }) => {
      const { length } = team.journal.requests('users.createSignInToken')
      if (length > 6) throw new Error('a storm of requests')
    },
  }),
]

type Reader = ReturnType<typeof base> & { months: Set<string> }

async function synchronizeMonths({ client, db, months }: Reader): Promise<void> {
  for (const month of ['2025-03', '2025-04', '2025-05']) {
    const range = { start_date: `${month}-01`, end_date: `${month}-28` }
    await client.summaries.list(patient, 'sleep', range)
    months.add(month)
  }
  db.jobs.set('months', 'complete')
}

async function askForMarkers(client: Reader['client']): Promise<void> {
  await client.labTests.list().catch(() => {})
}
