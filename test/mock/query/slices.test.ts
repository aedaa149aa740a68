import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { userId } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

const path = `/aggregate/v1/user/${userId}/query`
const timeframe = { type: 'relative', anchor: '2025-06-01', past: { unit: 'day', value: 30 } }

/** Returns a query with this number of comparisons, each of which is false for every sample. */
function queryOf(comparisons: number) {
  return {
    select: [{ arg: { heartrate: 'value' }, func: 'mean' }],
    group_by: [{ date_trunc: { unit: 'minute' }, arg: { index: 'heartrate' } }],
    where: Array.from({ length: comparisons }, (_, at) => `value > ${at + 500}`).join(' OR '),
  }
}

/** Lets the event loop take one turn. */
const turn = () => new Promise(setImmediate)

it('lets other requests run between the slices of a long query', async () => {
  const team = createMock().team()
  await call(team, `POST ${path}`, { timeframe, queries: [queryOf(1)] })
  const ended: string[] = []
  const long = call(team, `POST ${path}`, { timeframe, queries: [queryOf(500)] }).then(() =>
    ended.push('query'),
  )
  for (let request = 0; request < 5; request += 1) {
    await turn()
    await call(team, 'GET /v2/providers')
    ended.push('providers')
  }
  await long
  expect(ended).toEqual([...Array(5).fill('providers'), 'query'])
})

it('ends a long query when its client aborts the request', async () => {
  const team = createMock().team()
  const { apiKey, baseUrl, fetch } = team.connection()
  const controller = new AbortController()
  const sent = fetch(baseUrl + path, {
    method: 'POST',
    headers: { 'x-service-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ timeframe, queries: [queryOf(500)] }),
    signal: controller.signal,
  })
  const rejected = expect(sent).rejects.toThrow('left')
  while (team.journal.last()?.outcome !== 'waiting') await turn()
  for (let count = 0; count < 5; count += 1) await turn()
  controller.abort(new Error('left'))
  await rejected
  expect(team.journal.last()).toMatchObject({ outcome: 'aborted' })
})

it('rejects more than 10,000 values and columns in all queries', async () => {
  const team = createMock().team({ generatedData: false })
  const ask = (queries: object[]) => call(team, `POST ${path}`, { timeframe, queries })
  expect((await ask(Array(5).fill(queryOf(1000)))).status).toBe(200)
  const { status, body } = await ask([...Array(5).fill(queryOf(1000)), queryOf(1)])
  expect(status).toBe(422)
  expect(body.detail).toEqual([
    {
      type: 'value_error',
      loc: ['body', 'queries', 5, 'where'],
      msg: 'Input should have at most 10000 values and columns in the expressions of all queries. Send several requests',
      input: null,
    },
  ])
})

it('ends a long query when the team is restored, and reads the restored data afterwards', async () => {
  const living = async (persona: string) => {
    const team = createMock().team({ clock: 'manual', now: '2025-05-01T09:00:00Z' })
    team.users.create({ user_id: userId, persona, living: true, connections: ['oura'] })
    await team.clock.advance('30d')
    return team
  }
  const ask = (team: Team) => {
    const select = [{ arg: { heartrate: 'value' }, func: 'mean' }]
    return call(team, `POST ${path}`, { timeframe, queries: [{ select }] })
  }
  const [team, other] = [await living('athlete'), await living('older_adult')]
  const long = expect(ask(team)).rejects.toMatchObject({ code: 'invalid_state' })
  while (team.journal.last()?.outcome !== 'waiting') await turn()
  await turn()
  team.restore(other.snapshot())
  await long
  expect((await ask(team)).body).toEqual((await ask(other)).body)
})
