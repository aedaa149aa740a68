import ky from 'ky'
import { createMock } from '../../mock/index.ts'
import { issuesOf } from '../../src/contract/check.ts'
import { compileValidator } from '../../src/contract/compile.ts'
import { MarkerPage } from '../../src/contract/lab-tests.ts'
import { ServiceClient } from '../../src/index.ts'
import { cpuTime, type Figure, ratio } from './figure.ts'

const baseUrl = 'https://service.test'
const calls = 2000

/** Of each of several ways the CPU time of its fastest round; the rounds take turns, so that all meet the same weather. */
async function compared<Name extends string>(
  ways: Record<Name, () => Promise<unknown>>,
  count: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(ways) as Name[]
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<
    Name,
    number
  >
  for (let round = 0; round < 25; round += 1) {
    for (const name of names) {
      const found = await cpuTime(1, async () => {
        for (let at = 0; at < count; at += 1) await ways[name]()
      })
      best[name] = Math.min(best[name], found)
    }
  }
  return best
}

/** A hundred times, so that awaiting weighs nothing. */
function repeated(run: () => unknown): () => Promise<void> {
  return async () => {
    for (let at = 0; at < 100; at += 1) run()
  }
}

/** A page of 100 markers as the mock answers it, about 74 KB. */
async function markerPage(): Promise<string> {
  const { apiKey, baseUrl: url, fetch } = createMock().connection()
  const headers = { 'x-service-api-key': apiKey }
  return (await fetch(`${url}/v3/lab_tests/markers?size=100`, { headers })).text()
}

export default async function (): Promise<Figure[]> {
  const team = createMock().team()
  const { order_id } = team.appointments.create({ appointment_notes: 'x'.repeat(200) })
  const small = JSON.stringify(team.appointments.list()[0])
  const page = await markerPage()
  const answering = (body: string) => async (_: unknown) =>
    new Response(body, {
      headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
    })
  const [answerSmall, answerPage] = [answering(small), answering(page)]
  const client = new ServiceClient({ apiKey: 'k', baseUrl, fetch: answerSmall })
  const pages = new ServiceClient({ apiKey: 'k', baseUrl, fetch: answerPage })
  const url = `${baseUrl}/v3/order/${order_id}/phlebotomy/appointment`

  const one = await compared(
    {
      client: () => client.orders.getPhlebotomyAppointment(order_id).then(),
      ky: () => ky(url, { fetch: answerSmall }).json(),
      fetch: async () => (await answerSmall(new Request(url))).json(),
    },
    calls,
  )
  const hundred = await compared(
    {
      client: () => pages.labTests.listMarkers({ size: 100 }).then(),
      fetch: async () => (await answerPage(new Request(`${baseUrl}/v3/lab_tests/markers`))).json(),
    },
    200,
  )
  const accepts = compileValidator(MarkerPage)
  const parsed: unknown = JSON.parse(page)
  if (!accepts(parsed) || issuesOf(MarkerPage, parsed).length > 0) throw new Error('A bad page.')
  const check = await compared(
    { check: repeated(() => accepts(parsed)), parse: repeated(() => JSON.parse(page)) },
    20,
  )
  return [
    { what: 'The answer of that call', found: `${small.length} bytes` },
    ratio('A call of 1 KB: the client against ky(url).json()', one.client / one.ky, 1.1),
    {
      what: 'A call of 1 KB: the client against a bare fetch',
      found: (one.client / one.fetch).toFixed(2),
    },
    ratio(
      `A page of 100 markers, ${Math.round(page.length / 1000)} KB, checked: the client against fetch and json()`,
      hundred.client / hundred.fetch,
      1.35,
    ),
    ratio('Checking that page against parsing it', check.check / check.parse, 0.05),
  ]
}
