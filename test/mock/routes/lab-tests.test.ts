import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { ServiceClient } from '../../../src/index.ts'
import { orderBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

/** A team whose catalogue has two labs of its own, with markers and a test each. */
function teamWithLabs(): Team {
  const team = createMock().team()
  for (const lab_id of [901, 902]) {
    team.catalogue.labs.create({ id: lab_id, slug: `lab-${lab_id}` })
    const marker_ids = [1, 2, 3].map((n) => lab_id * 10 + n)
    for (const id of marker_ids) {
      team.catalogue.markers.create({
        id,
        lab_id,
        name: `Ferritin ${id}`,
        test_code: `FER${id}`,
        provider_id: `P${id}`,
        a_la_carte_enabled: id % 2 === 1,
      })
    }
    team.catalogue.labTests.create({
      id: testOf(lab_id),
      lab_id,
      marker_ids,
      name: `Iron ${lab_id}`,
    })
  }
  team.catalogue.markers.create({ id: 9014, lab_id: 901, provider_id: 'extra', name: 'Zinc' })
  return team
}

function testOf(lab: number): string {
  return `00000000-0000-4000-8000-000000000${lab}`
}

const ids = (markers: { id: number }[]) => markers.map(({ id }) => id)

it.each([
  ['lab_id=901', [9011, 9012, 9013, 9014]],
  ['lab_id=901&lab_id=902', [9011, 9012, 9013, 9021, 9022, 9023, 9014]],
  ['lab_slug=lab-902', [9021, 9022, 9023]],
  ['lab_slug=lab-902&lab_id=901', [9021, 9022, 9023]],
  ['lab_slug=none', []],
  ['name=fer901', [9011, 9012, 9013]],
  ['name=FERRITIN%209021', [9021]],
  ['lab_id=901&a_la_carte_enabled=true', [9011, 9013]],
  ['lab_id=901&a_la_carte_enabled=false', [9012, 9014]],
])('lists markers by %s (4.4)', async (query, expected) => {
  const { status, body } = await call(teamWithLabs(), `GET /v3/lab_tests/markers?${query}`)
  expect(status).toBe(200)
  expect(ids(body.markers)).toEqual(expected)
  expect(body.total).toBe(expected.length)
})

it('pages markers: 50 by default, empty past the end (2.5, part 8)', async () => {
  const team = createMock().team()
  const total = team.catalogue.markers.size
  const first = await call(team, 'GET /v3/lab_tests/markers')
  expect(first.body).toMatchObject({ total, page: 1, size: 50, pages: Math.ceil(total / 50) })
  expect(first.body.markers).toHaveLength(Math.min(50, total))
  const second = await call(team, 'GET /v3/lab_tests/markers?page=2&size=10')
  expect(ids(second.body.markers)).toEqual(ids(team.catalogue.markers.list()).slice(10, 20))
  const past = await call(team, 'GET /v3/lab_tests/markers?page=1000')
  expect([past.status, past.body.markers, past.body.total]).toEqual([200, [], total])
})

it.each(['page=0', 'size=0', 'size=101', 'page=1.5', 'lab_id=x', 'a_la_carte_enabled=maybe'])(
  'rejects %s (4.4, part 8)',
  async (query) => {
    const { status } = await call(teamWithLabs(), `GET /v3/lab_tests/markers?${query}`)
    expect(status).toBe(422)
  },
)

it('lists the markers of a lab test with all four counters (4.5)', async () => {
  const { body } = await call(
    teamWithLabs(),
    `GET /v3/lab_tests/${testOf(901)}/markers?size=2&page=2`,
  )
  expect(body).toMatchObject({ total: 3, page: 2, size: 2, pages: 2, markers: [{ id: 9013 }] })
})

it('returns an empty page with counters of zero (2.5)', async () => {
  const team = teamWithLabs()
  team.catalogue.labTests.update(testOf(901), { marker_ids: [] })
  const { body } = await call(team, `GET /v3/lab_tests/${testOf(901)}/markers`)
  expect(body).toEqual({ markers: [], total: 0, page: 1, size: 50, pages: 0 })
})

it('responds with 404 to an unknown lab test (4.5)', async () => {
  const { status } = await call(createMock().team(), `GET /v3/lab_tests/${testOf(999)}/markers`)
  expect(status).toBe(404)
})

it('returns the markers of a lab account, once the team has one (4.4, 4.5)', async () => {
  const team = teamWithLabs()
  const account = 'aaaaaaaa-0000-4000-8000-000000000001'
  const query = `lab_id=901&lab_id=902&lab_account_id=${account}`
  const before = await call(team, `GET /v3/lab_tests/markers?${query}`)
  expect(before.body.total).toBe(7)
  team.catalogue.labAccounts.create({ id: account, lab_ids: [902] })
  const after = await call(team, `GET /v3/lab_tests/markers?${query}`)
  expect(ids(after.body.markers)).toEqual([9021, 9022, 9023])
  const ofTest = await call(
    team,
    `GET /v3/lab_tests/${testOf(901)}/markers?lab_account_id=${account}`,
  )
  expect(ofTest.body.markers).toEqual([])
  const unknown = await call(team, `GET /v3/lab_tests/markers?lab_account_id=${testOf(999)}`)
  expect(unknown.status).toBe(404)
})

it.each([
  [{ lab_test_ids: [testOf(901)] }, [9011, 9012, 9013]],
  [{ lab_test_ids: [testOf(901)], add_on: { provider_ids: ['P9013'] } }, [9011, 9012, 9013]],
  [{ add_on: { provider_ids: ['P9011', 'P9012'] } }, [9011, 9012]],
  [{ add_on: { provider_ids: ['P9022'], marker_ids: [9021] } }, [9021, 9022]],
  [{ add_on: { marker_ids: [9022] } }, [9022]],
  [{ lab_test_ids: [testOf(901)], add_on: { marker_ids: [9014] } }, [9011, 9012, 9013, 9014]],
])('lists the markers of the order set %j, each once (4.6)', async (body, expected) => {
  const response = await call(teamWithLabs(), 'POST /v3/lab_tests/list_order_set_markers', body)
  expect(response.status).toBe(200)
  expect(ids(response.body.markers)).toEqual(expected)
})

/** The same rules apply to an order and to the list of its markers. */
const invalidSets = [
  [{}, 400],
  [{ lab_test_ids: [] }, 400],
  [{ lab_test_ids: [testOf(901)], add_on: {} }, 400],
  [{ lab_test_ids: [testOf(999)], add_on: {} }, 404],
  [{ add_on: { provider_ids: [] } }, 400],
  [{ lab_test_ids: [testOf(901), testOf(902)] }, 400],
  [{ lab_test_ids: [testOf(901)], add_on: { marker_ids: [9021] } }, 400],
  [{ lab_test_ids: [testOf(901)], add_on: { provider_ids: ['P9021'] } }, 400],
  [{ add_on: { provider_ids: ['P9011', 'P9021'] } }, 400],
  [{ add_on: { marker_ids: [9011, 9021] } }, 400],
  [{ add_on: { provider_ids: ['unknown'] } }, 400],
  [{ add_on: { marker_ids: [1_000_000] } }, 400],
  [{ lab_test_ids: [testOf(999)] }, 404],
  [{ lab_test_ids: 'all' }, 422],
] as const

it.each(invalidSets)('rejects the order set %j with %i (4.6, 4.12)', async (order_set, status) => {
  const team = teamWithLabs()
  const listed = await call(team, 'POST /v3/lab_tests/list_order_set_markers', order_set)
  const ordered = await call(team, 'POST /v3/order', { ...orderBody(''), order_set })
  expect([listed.status, ordered.status]).toEqual([status, status])
  expect(team.orders.list()).toEqual([])
  expect(team.users.list()).toEqual([])
})

it('pages an order set by the query, else by the body (4.6)', async () => {
  const route = 'POST /v3/lab_tests/list_order_set_markers'
  const body = { lab_test_ids: [testOf(901)], page: 2, size: 1 }
  const team = teamWithLabs()
  expect(ids((await call(team, route, body)).body.markers)).toEqual([9012])
  expect(ids((await call(team, `${route}?page=3`, body)).body.markers)).toEqual([9013])
  expect((await call(team, route, { ...body, size: 101 })).body.detail[0].loc).toEqual([
    'body',
    'size',
  ])
})

it('pages lab tests with cursors, and lists all of them on the deprecated path (4.12, part 9)', async () => {
  const team = teamWithLabs()
  const walked: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = cursor && `&next_cursor=${encodeURIComponent(cursor)}`
    const { body } = await call(team, `GET /v3/lab_test?lab_test_limit=4${query}`)
    expect(body.data.length).toBeLessThanOrEqual(4)
    walked.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.next_cursor
  }
  const all = await call(team, 'GET /v3/lab_tests')
  expect(walked).toEqual(all.body.map(({ id }: { id: string }) => id))
  expect(walked).toEqual(team.catalogue.labTests.list().map(({ id }) => id))
})

it('continues a walk whose last test was deleted, even after a restore (4.12)', async () => {
  const team = teamWithLabs()
  const ids = team.catalogue.labTests.list().map(({ id }) => id)
  const rest = async (cursor: string, query = '') => {
    const next = `next_cursor=${encodeURIComponent(cursor)}`
    const { body } = await call(team, `GET /v3/lab_test?lab_test_limit=50&${next}${query}`)
    return body.data.map(({ id }: { id: string }) => id)
  }
  for (const size of [2, ids.length - 1]) {
    const { body } = await call(team, `GET /v3/lab_test?lab_test_limit=${size}`)
    const before = team.snapshot()
    for (const id of ids.slice(size - 2, size)) team.catalogue.labTests.delete(id)
    expect(await rest(body.next_cursor)).toEqual(ids.slice(size))
    expect(await rest(body.next_cursor, '&name=iron%20902')).toEqual([testOf(902)])
    team.restore(JSON.parse(JSON.stringify(team.snapshot())))
    expect(await rest(body.next_cursor)).toEqual(ids.slice(size))
    team.restore(before)
  }
})

it('lists each test once in a walk during which tests are deleted and created again (4.12)', async () => {
  const ids = teamWithLabs()
    .catalogue.labTests.list()
    .map(({ id }) => id)
  for (const changed of ids.slice(-4)) {
    const team = teamWithLabs()
    const { labTests } = team.catalogue
    const client = new ServiceClient(team.connection())
    const walked: string[] = []
    for await (const { id } of client.labTests.list({ lab_test_limit: 1 })) {
      walked.push(id)
      const test = labTests.get(changed)
      labTests.delete(changed)
      labTests.create({ ...test })
    }
    expect(walked).toEqual(ids)
  }
})

it.each([
  ['name=iron%20902', [testOf(902)]],
  ['lab_slug=lab-901', [testOf(901)]],
  ['lab_slug=lab-901&status=inactive', []],
  ['lab_slug=lab-901&collection_method=testkit', []],
  ['lab_slug=none', []],
])('lists lab tests by %s (4.12)', async (query, expected) => {
  const { body } = await call(teamWithLabs(), `GET /v3/lab_test?${query}`)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected)
})

it('rejects a cursor of no page (4.12)', async () => {
  const team = createMock().team()
  for (const cursor of ['%25', btoa('nothing')]) {
    const { status, body } = await call(team, `GET /v3/lab_test?next_cursor=${cursor}`)
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'next_cursor']])
  }
})

it('rejects an empty order set also after lists without a filter (4.6)', async () => {
  const team = teamWithLabs()
  for (const path of ['/v3/lab_test', '/v3/lab_tests/markers']) {
    expect((await call(team, `GET ${path}`)).status).toBe(200)
  }
  const listed = await call(team, 'POST /v3/lab_tests/list_order_set_markers', {})
  expect(listed.status).toBe(400)
})

it('describes a lab test, its lab and the results of its markers (assumption)', async () => {
  const team = teamWithLabs()
  const test = { lab_id: 901, method: 'testkit', sample_type: 'saliva', status: 'inactive' }
  team.catalogue.labTests.create({ ...test, name: 'Zinc' })
  const { body } = await call(team, 'GET /v3/lab_test?lab_slug=lab-901')
  expect(body.data).toMatchObject([
    { name: 'Iron 901', sample_type: 'serum', is_active: true },
    { name: 'Zinc', sample_type: 'saliva', is_active: false },
  ])
  for (const { lab } of body.data) {
    expect(lab).toMatchObject({
      first_line_address: expect.any(String),
      city: expect.any(String),
      zipcode: expect.stringMatching(/^\d{5}$/),
      collection_methods: ['at_home_phlebotomy', 'testkit'],
      sample_types: ['serum', 'saliva'],
    })
  }
  const { body: offers } = await call(createMock().team(), 'GET /v3/lab_tests')
  expect(offers[0].markers[0].expected_results[0]).toMatchObject({ required: true })
})
