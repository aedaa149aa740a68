import type { Figure } from '../../bench/figure.ts'
import { atMost, withoutLimit } from './budget.ts'
import { bundleSize } from './bundle.ts'

const client = `import { ServiceClient } from 'health-lab-sdk'
const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test' })
`

/** One program per client namespace, which uses only that namespace. */
const namespaces = [
  "client.users.createSignInToken('id')",
  "client.insurance.create('id', {})",
  'client.link.listProviders()',
  'client.labTests.listMarkers()',
  "client.orders.getPhlebotomyAppointment('id')",
  "client.aggregate.query('id', {})",
  "client.summaries.list('id', 'sleep', {})",
]

const using = (entry: string, name: string) =>
  `import { ${name} } from '${entry}'\nconsole.log(${name})\n`

/** The packages that the mock imports, except zod. */
const besideMock = [/^@faker-js\//, /^hyparquet/, /^modern-tar/]

/** Sizes are in kilobytes, minified and gzipped. */
export async function bundles(consumer: string): Promise<Figure[]> {
  const kilobytes = async (program: string, external: RegExp[] = []) => {
    const { first, later } = await bundleSize(consumer, program, external)
    return { first: first / 1000, total: (first + later) / 1000 }
  }
  const whole = await kilobytes(`${client}console.log(client)\n`)
  const used: number[] = []
  for (const call of namespaces) used.push((await kilobytes(`${client}await ${call}\n`)).first)
  const mock = using('health-lab-sdk/mock', 'createMock')
  const events = await kilobytes(using('health-lab-sdk/events', 'eventHandler'))
  const durable = await kilobytes(using('health-lab-sdk/durable', 'durable'))
  const stores = await kilobytes(
    `import { memoryStore, postgresStore, redisStore } from 'health-lab-sdk/stores'
console.log(memoryStore, postgresStore, redisStore)
`,
  )
  const sync = await kilobytes(using('health-lab-sdk/sync', 'createSync'))
  const mockCore = await kilobytes(mock, [...besideMock, /^zod/])
  return [
    atMost('The client, first chunk', whole.first, 17, 'KB'),
    atMost('The client, plus everything that it loads later', whole.total, 78, 'KB'),
    withoutLimit(
      'The client, plus everything that it loads later except ky and zod',
      (await kilobytes(`${client}console.log(client)\n`, [/^ky$/, /^zod/])).total,
      'KB',
    ),
    atMost(
      'A program that uses one namespace: first chunk (largest of 7 programs)',
      Math.max(...used),
      18.5,
      'KB',
    ),
    atMost('`/events`', events.first, 8, 'KB'),
    atMost('`/durable`', durable.first, 13, 'KB'),
    atMost('`/stores`', stores.first, 6.2, 'KB'),
    atMost('`/sync`', sync.first, 40, 'KB'),
    withoutLimit(
      '`/parquet`',
      (await kilobytes(using('health-lab-sdk/parquet', 'tables'))).first,
      'KB',
    ),
    atMost('The core of the mock, without faker, Parquet and zod', mockCore.first, 101.5, 'KB'),
    withoutLimit('The core of the mock, plus everything that it loads later', mockCore.total, 'KB'),
    withoutLimit('The core of the mock with zod', (await kilobytes(mock, besideMock)).first, 'KB'),
  ]
}
