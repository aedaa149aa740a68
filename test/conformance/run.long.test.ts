import { setupServer } from 'msw/node'
import { afterEach, expect, it } from 'vitest'
import { createMock, MockError } from '../../mock/index.ts'
import { handlers } from '../../mock/msw.ts'
import {
  connectConformanceSetup,
  createConformanceSetup,
} from '../../mock/remote/conformance-setup.ts'
import { serve } from '../../mock/server/server.ts'
import {
  type ConformanceOptions,
  type ConformanceReport,
  conformanceCases,
  runConformance,
  toJunit,
  toTable,
} from '../../src/conformance/index.ts'
import { sampled } from '../support/long-tests.ts'

const toClose: (() => void)[] = []
afterEach(() => {
  for (const close of toClose.splice(0)) close()
})

function runOnMock(options: Partial<ConformanceOptions> = {}): Promise<ConformanceReport> {
  const mock = createMock()
  const team = mock.team()
  return runConformance({
    ...team.connection(),
    setup: createConformanceSetup(mock, team),
    assumptions: true,
    ...options,
  })
}

function failures({ results }: ConformanceReport): string[] {
  return results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ id, reason }) => `${id}: ${reason}`)
}

it('finds no violations in the mock', async () => {
  const report = await runOnMock()
  expect(failures(report)).toEqual([])
  expect(report.results).toHaveLength(conformanceCases.length)
  expect(report.passed).toBeGreaterThan(120)
})

/** Every tenth case. */
const tenth = conformanceCases.filter((_, index) => index % 10 === 0).map(({ id }) => id)

/** Fewer of them in `npm test`, because they take long over HTTP; the test of the OpenAPI document runs all. */
const someCases = sampled(tenth, 2)

it('finds no violations in the mock behind MSW', async () => {
  const mock = createMock()
  const server = setupServer(...handlers(mock))
  server.listen()
  toClose.push(() => server.close())
  const { apiKey, baseUrl } = mock.connection()
  const report = await runConformance({
    apiKey,
    baseUrl,
    setup: createConformanceSetup(mock),
    only: someCases,
    assumptions: true,
  })
  expect(failures(report)).toEqual([])
  expect(report.passed).toBeGreaterThan(0.8 * someCases.length)
})

it('finds no violations in a mock server', async () => {
  const server = await serve({ clock: 'auto' }, { strictKeys: true })
  toClose.push(() => void server.close())
  const { apiKey } = server.mock.connection()
  const report = await runConformance({
    apiKey,
    baseUrl: server.url,
    setup: createConformanceSetup(server.mock),
    only: someCases,
    assumptions: true,
  })
  expect(failures(report)).toEqual([])
  expect(report.passed).toBeGreaterThan(0.8 * someCases.length)
})

it.each([
  { strictKeys: false, skips: '5/wrong-key', why: 'the service accepts any API key' },
  {
    strictKeys: true,
    skips: '4.10/explicit',
    why: 'the setup does not provide other teams with their own settings',
  },
])('sets up a mock in another process (strict keys: $strictKeys)', async (options) => {
  const { strictKeys, skips, why } = options
  const server = await serve({}, { strictKeys })
  toClose.push(() => void server.close())
  const { apiKey } = server.mock.connection()
  const setup = await connectConformanceSetup(server.url, apiKey)
  const only = [...someCases, skips]
  const report = await runConformance({
    apiKey,
    baseUrl: server.url,
    setup,
    only,
    assumptions: true,
  })
  expect(failures(report)).toEqual([])
  expect(report.passed).toBeGreaterThan(0.6 * someCases.length)
  const skipped = report.results.find(({ id }) => id === skips)
  expect(skipped?.reason).toBe(why)
})

it('skips the case for Auto Connect mode when the only team uses the explicit mode', async () => {
  const mock = createMock()
  const team = mock.team({ sdkMode: 'explicit' })
  const { team: _, ...setup } = createConformanceSetup(mock, team)
  const only = ['4.10/auto-connect']
  const { results } = await runConformance({ ...team.connection(), setup, only })
  expect(results).toMatchObject([{ outcome: 'skipped' }])
  expect(results[0]?.reason).toContain('implement setup.team to test Auto Connect mode')
})

it('reports a setup that throws something without a string form', async () => {
  const user = () => {
    throw Object.create(null)
  }
  const { results } = await runOnMock({ setup: { user }, only: someCases })
  const reasons = results.map(({ reason }) => reason)
  expect(reasons).toContainEqual(
    expect.stringContaining('a value that cannot be converted to a string'),
  )
})

it('gives every case a unique id and rules', () => {
  const ids = conformanceCases.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(conformanceCases.filter(({ rules }) => rules.length === 0)).toEqual([])
})

it('changes nothing in the service with readOnly', async () => {
  const team = createMock().team()
  const user = team.users.create().user_id
  const before = team.snapshot()
  const report = await runConformance({
    ...team.connection(),
    setup: { user: () => user },
    readOnly: true,
    assumptions: true,
  })
  expect(failures(report)).toEqual([])
  expect(report.passed).toBeGreaterThan(35)
  expect(team.snapshot()).toEqual(before)
})

it('skips cases that the setup does not support and reports the reason', async () => {
  const { results, failed } = await runOnMock({ setup: {} })
  expect(failed).toBe(0)
  const skipped = results.find(({ id }) => id === '3.1/cancelled')
  expect(skipped?.outcome).toBe('skipped')
  expect(skipped?.reason).toBe(
    "the setup does not provide an order that can be booked, booking keys that produce a given outcome, control of the service's time",
  )
})

it('skips cases with assumptions by default', async () => {
  const mock = createMock()
  const setup = createConformanceSetup(mock)
  const { results } = await runConformance({ ...mock.connection(), setup, only: someCases })
  const relying = results.filter(({ assumption }) => assumption !== undefined)
  expect(relying.length).toBeGreaterThan(0)
  expect(relying.filter(({ outcome }) => outcome !== 'skipped')).toEqual([])
})

it.each([
  [['4.1'], conformanceCases.map(({ id }) => id).filter((id) => id.startsWith('4.1/'))],
  [
    ['4.8/uuid', '7/failed'],
    ['4.8/uuid', '7/failed'],
  ],
  [['4.99'], []],
])('runs only the cases of %j', async (only, expected) => {
  const { results } = await runOnMock({ only })
  expect(results.map(({ id }) => id)).toEqual(expected)
})

it('reports expected and found values of a failed case without ids, bodies or keys', async () => {
  const mock = createMock()
  const team = mock.team()
  const connection = team.connection()
  const report = await runConformance({
    ...connection,
    setup: createConformanceSetup(mock, team),
    only: tenth,
    assumptions: true,
    async fetch(input, init) {
      const { status } = await connection.fetch(input, init)
      return Response.json({ surname: 'Winter', id: 7 }, { status: status === 200 ? 201 : 200 })
    },
  })
  expect(report.failed).toBeGreaterThan(10)
  const text = toTable(report) + JSON.stringify(report)
  expect(text).toContain('Expected POST /v2/user/{user_id}/insurance to reject')
  expect(text).not.toContain(team.apiKey)
  expect(text).not.toContain('Winter')
  for (const { user_id } of team.users.list()) expect(text).not.toContain(user_id)
})

it('describes found strings by their length, unless they are known values without personal data', async () => {
  const mock = createMock()
  const team = mock.team()
  const connection = team.connection()
  const report = await runConformance({
    ...connection,
    setup: createConformanceSetup(mock, team),
    only: ['2.1/each-optional', '2.1/enumerations', '2.6/lasting'],
    async fetch(input, init) {
      const response = await connection.fetch(input, init)
      const text = await response.text()
      const changed = text
        .replaceAll(/("first_name"):"[^"]*"/g, '$1:"Winter"')
        .replaceAll(/("gender_identity"):"[^"]*"/g, '$1:"genderqueer"')
        .replaceAll(/("status"):"[^"]*"/g, '$1:"confirmed"')
      return new Response(changed, response)
    },
  })
  const text = toTable(report) + JSON.stringify(report)
  expect(text).toContain("Expected medical_proxy.first_name to be 'Vera', found a string of 6")
  expect(text).toContain("found 'confirmed'")
  expect(text).not.toContain('Winter')
  expect(text).not.toContain("found 'genderqueer'")
})

it("does not show a user's data that changed", async () => {
  const mock = createMock()
  const team = mock.team()
  const connection = team.connection()
  const setup = createConformanceSetup(mock, team)
  const names = ['Winter', 'Sommer']
  const report = await runConformance({
    ...connection,
    setup: {
      ...setup,
      userInfo: async () => ({ first_name: names.shift() }),
    },
    only: ['2.1/types'],
  })
  expect(report.results[0]?.reason).toBe(
    "Expected first_name of the user's info after rejected requests to be a string of 6 characters, found another string of 6 characters.",
  )
})

it("does not show an appointment's address that changed", async () => {
  const mock = createMock()
  const team = mock.team()
  const connection = team.connection()
  let responses = 0
  const report = await runConformance({
    ...connection,
    setup: createConformanceSetup(mock, team),
    only: ['2.6/read-again'],
    async fetch(input, init) {
      const response = await connection.fetch(input, init)
      responses += 1
      const city = `"city":"Town${responses}"`
      return new Response((await response.text()).replaceAll(/"city":"[^"]*"/g, city), response)
    },
  })
  expect(report.results[0]?.reason).toMatch(
    /^Expected city to be a string of \d characters, found (?:a|another) string of \d characters\.$/,
  )
  expect(JSON.stringify(report)).not.toContain('Town')
})

it('reports a service that does not respond', async () => {
  const { results } = await runOnMock({
    only: ['5/right-key'],
    fetch: () => Promise.reject(new TypeError('fetch failed: https://mock.test/?key=secret')),
  })
  expect(results[0]?.reason).toBe(
    'Expected GET /v2/providers to respond, but found TypeError instead of a response.',
  )
})

it("shows the mock's own error, such as that of a missing package", async () => {
  const fetch = () => Promise.reject(new MockError('missing_package', 'Install hyparquet-writer.'))
  const { results } = await runOnMock({ fetch, only: ['5/right-key'] })
  expect(results[0]?.reason).toContain('MockError: Install hyparquet-writer.')
})

it.each(['http://user:password@127.0.0.1:1', 'http://127.0.0.1:1/?key=a', 'localhost:4010'])(
  'rejects the base URL %s without printing it',
  async (baseUrl) => {
    await expect(runOnMock({ baseUrl })).rejects.toThrow(
      /^Expected baseUrl to be an http or https URL without credentials, query or fragment\.$/,
    )
  },
)

it('follows no redirects, which could send the key to another origin', async () => {
  const requests: (RequestInit | undefined)[] = []
  await runOnMock({
    only: ['5/right-key', '8/requisition-url'],
    fetch: async (_, init) => {
      requests.push(init)
      return Response.json([])
    },
  })
  expect(requests.map((init) => init?.redirect)).toEqual(requests.map(() => 'manual'))
})

it('stops at the first case that fails with bail', async () => {
  const mock = createMock()
  mock.override('users.updateInfo', () => ({ status: 500 }))
  const { results, failed } = await runOnMock({ ...mock.connection(), bail: true, only: ['2.1'] })
  expect(failed).toBe(1)
  expect(results.at(-1)?.outcome).toBe('failed')
})

const report: ConformanceReport = {
  baseUrl: 'https://api.example.test',
  passed: 1,
  failed: 1,
  skipped: 1,
  results: [
    { id: '4.8/uuid', section: '4.8', title: 'Rejects', readOnly: true, outcome: 'passed' },
    {
      id: '4.10/gone',
      section: '4.10',
      title: 'Keeps <one> & "all"',
      readOnly: false,
      outcome: 'failed',
      reason: 'Expected 1, found <2>.',
      failure: {
        expected: '1',
        found: '<2>',
        diff: ['- 1', '+ <2>'],
        sentences: [
          {
            section: '4.10',
            text: 'Rule: deregistration is well defined only for cloud-based providers.',
          },
        ],
      },
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
    "ok      4.8/uuid    Rejects
    FAILED  4.10/gone   Keeps <one> & "all"
            Expected 1, found <2>.
            - 1
            + <2>
            Specification 4.10: Rule: deregistration is well defined only for cloud-based providers.
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
        <testcase classname="4.8/uuid" name="Rejects"/>
        <testcase classname="4.10/gone" name="Keeps &lt;one&gt; &amp; &quot;all&quot;"><failure message="Expected 1, found &lt;2&gt;.">- 1
    + &lt;2&gt;
    Specification 4.10: Rule: deregistration is well defined only for cloud-based providers.</failure></testcase>
      </testsuite>
      <testsuite name="part 6" tests="1" failures="0" skipped="1">
        <testcase classname="6/envelope" name="Sends"><skipped message="no events"/></testcase>
      </testsuite>
    </testsuites>
    "
  `)
})
