import { setupServer } from 'msw/node'
import { afterEach, expect, it } from 'vitest'
import { conformanceSetup, servedConformanceSetup } from '../../mock/conformance.ts'
import { createMock } from '../../mock/index.ts'
import { handlers } from '../../mock/msw.ts'
import { serve } from '../../mock/server/server.ts'
import {
  type ConformanceOptions,
  type ConformanceReport,
  conformanceCases,
  runConformance,
  toJunit,
  toTable,
} from '../../src/conformance/index.ts'

const toClose: (() => void)[] = []
afterEach(() => {
  for (const close of toClose.splice(0)) close()
})

function ofMock(options: Partial<ConformanceOptions> = {}): Promise<ConformanceReport> {
  const mock = createMock()
  const team = mock.team()
  return runConformance({ ...team.connection(), setup: conformanceSetup(mock, team), ...options })
}

function failures({ results }: ConformanceReport): string[] {
  return results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ id, reason }) => `${id}: ${reason}`)
}

it('finds that the mock keeps the specification', async () => {
  const report = await ofMock()
  expect(failures(report)).toEqual([])
  expect(report.results).toHaveLength(conformanceCases.length)
  expect(report.passed).toBeGreaterThan(120)
})

it('finds that the mock behind MSW keeps the specification', async () => {
  const mock = createMock()
  const server = setupServer(...handlers(mock))
  server.listen()
  toClose.push(() => server.close())
  const { apiKey, baseUrl } = mock.connection()
  const report = await runConformance({ apiKey, baseUrl, setup: conformanceSetup(mock) })
  expect(failures(report)).toEqual([])
  expect(report.passed).toBeGreaterThan(120)
})

it('finds that a served mock keeps the specification', async () => {
  const server = await serve({ clock: 'auto' }, { strictKeys: true })
  toClose.push(() => void server.close())
  const { apiKey } = server.mock.connection()
  const setup = conformanceSetup(server.mock)
  const report = await runConformance({ apiKey, baseUrl: server.url, setup })
  expect(failures(report)).toEqual([])
  expect(report.passed).toBeGreaterThan(120)
})

it.each([
  { strictKeys: false, skips: '5/wrong-key', why: 'the service makes a team of any key' },
  {
    strictKeys: true,
    skips: '4.10/explicit',
    why: 'the setup does not offer another team with settings of its own',
  },
])('sets up a mock of another process (strict keys: $strictKeys)', async (options) => {
  const { strictKeys, skips, why } = options
  const server = await serve({}, { strictKeys })
  toClose.push(() => void server.close())
  const { apiKey } = server.mock.connection()
  const setup = await servedConformanceSetup(server.url, apiKey)
  const report = await runConformance({ apiKey, baseUrl: server.url, setup })
  expect(failures(report)).toEqual([])
  expect(report.passed).toBeGreaterThan(110)
  const skipped = report.results.find(({ id }) => id === skips)
  expect(skipped?.reason).toBe(why)
})

it('gives every case a name of its own, and rules', () => {
  const ids = conformanceCases.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(conformanceCases.filter(({ rules }) => rules.length === 0)).toEqual([])
})

it('leaves the service as it was when only reading', async () => {
  const team = createMock().team()
  const user = team.users.create().user_id
  const before = team.snapshot()
  const report = await runConformance({
    ...team.connection(),
    setup: { user: () => user },
    readOnly: true,
  })
  expect(failures(report)).toEqual([])
  expect(report.passed).toBeGreaterThan(45)
  expect(team.snapshot()).toEqual(before)
})

it('skips what a plain service cannot be asked, and says why', async () => {
  const { results, failed } = await ofMock({ setup: {} })
  expect(failed).toBe(0)
  const skipped = results.find(({ id }) => id === '3.1/cancelled')
  expect(skipped?.outcome).toBe('skipped')
  expect(skipped?.reason).toBe(
    "the setup does not offer an order that can be booked, booking keys whose bookings end as asked, the service's time in our hands",
  )
})

it('skips what the specification leaves open when told to', async () => {
  const { results } = await ofMock({ presumptions: false })
  const relying = results.filter(({ presumes }) => presumes !== undefined)
  expect(relying.length).toBeGreaterThan(10)
  expect(relying.filter(({ outcome }) => outcome !== 'skipped')).toEqual([])
})

it.each([
  [['4.1'], ['4.1/region-of-the-patient', '4.1/regional-plan', '4.1/stored']],
  [
    ['4.8/uuid', '7/failed'],
    ['4.8/uuid', '7/failed'],
  ],
  [['4.99'], []],
])('runs the cases of %j only', async (only, expected) => {
  const { results } = await ofMock({ only })
  expect(results.map(({ id }) => id)).toEqual(expected)
})

it('tells a failed case by what was expected and found, without ids, bodies or keys', async () => {
  const mock = createMock()
  const team = mock.team()
  const connection = team.connection()
  const report = await runConformance({
    ...connection,
    setup: conformanceSetup(mock, team),
    async fetch(input, init) {
      const { status } = await connection.fetch(input, init)
      return Response.json({ surname: 'Stone', id: 7 }, { status: status === 200 ? 201 : 200 })
    },
  })
  expect(report.failed).toBeGreaterThan(80)
  const text = toTable(report) + JSON.stringify(report)
  expect(text).toContain('Expected POST /v2/user/{user_id}/insurance to refuse')
  expect(text).not.toContain(team.apiKey)
  expect(text).not.toContain('Stone')
  for (const { user_id } of team.users.list()) expect(text).not.toContain(user_id)
})

it('tells a service that does not answer', async () => {
  const { results } = await ofMock({
    only: ['5/right-key'],
    fetch: () => Promise.reject(new TypeError('fetch failed: https://mock.test/?key=secret')),
  })
  expect(results[0]?.reason).toBe('Expected GET /v2/providers to answer, found TypeError.')
})

it('follows no redirect, which would take the key along', async () => {
  const asked: (RequestInit | undefined)[] = []
  await ofMock({
    only: ['5/right-key', '8/requisition-url'],
    fetch: async (_, init) => {
      asked.push(init)
      return Response.json([])
    },
  })
  expect(asked.map((init) => init?.redirect)).toEqual(asked.map(() => 'manual'))
})

it('stops at the first case that fails when told to', async () => {
  const mock = createMock()
  mock.override('users.updateInfo', () => ({ status: 500 }))
  const { results, failed } = await ofMock({ ...mock.connection(), bail: true, only: ['2.1'] })
  expect(failed).toBe(1)
  expect(results.at(-1)?.outcome).toBe('failed')
})

const report: ConformanceReport = {
  baseUrl: 'https://api.example.test',
  passed: 1,
  failed: 1,
  skipped: 1,
  results: [
    { id: '4.8/uuid', section: '4.8', title: 'Refuses', readOnly: true, outcome: 'passed' },
    {
      id: '4.10/gone',
      section: '4.10',
      title: 'Keeps <one> & "all"',
      readOnly: false,
      outcome: 'failed',
      reason: 'Expected 1, found <2>.',
    },
    {
      id: '6/envelope',
      section: '6',
      title: 'Sends',
      readOnly: false,
      outcome: 'skipped',
      reason: 'no events',
    },
  ],
}

it('prints a report as a table', () => {
  expect(toTable(report)).toMatchInlineSnapshot(`
    "ok      4.8/uuid    Refuses
    FAILED  4.10/gone   Keeps <one> & "all"
            Expected 1, found <2>.
    -       6/envelope  Sends
            no events

    1 passed, 1 failed, 1 skipped
    "
  `)
})

it('writes a report as JUnit XML', () => {
  expect(toJunit(report)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="conformance" tests="3" failures="1" skipped="1">
      <testsuite name="part 4" tests="2" failures="1" skipped="0">
        <testcase classname="4.8/uuid" name="Refuses"/>
        <testcase classname="4.10/gone" name="Keeps &lt;one&gt; &amp; &quot;all&quot;"><failure message="Expected 1, found &lt;2&gt;."/></testcase>
      </testsuite>
      <testsuite name="part 6" tests="1" failures="0" skipped="1">
        <testcase classname="6/envelope" name="Sends"><skipped message="no events"/></testcase>
      </testsuite>
    </testsuites>
    "
  `)
})
