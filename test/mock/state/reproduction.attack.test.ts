import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import {
  requestTestOf,
  type SentRequest,
} from '../../../mock/inspector/panels/requests/request-code.ts'
import { userId, userInfoBody } from '../../support/bodies.ts'
import { call } from '../../support/call.ts'

/** Evaluates the line that a team prints, as a user who pastes it does. */
function run(line: string): Team {
  return new Function('createMock', `return ${line}`)(createMock)
}

it.each([
  '{"__proto__": "text", "other": 1}',
  '{"other": {"__proto__": {"inner": true}}}',
  String.raw`{"x\"__proto__": 1, "a,\"__proto__\": ": "{\"__proto__\":"}`,
])('keeps the field names of %s', async (json) => {
  const team = createMock().team()
  const info = userInfoBody()
  const address = { ...info.address, ...JSON.parse(json) }
  expect((await call(team, `PATCH /v2/user/${userId}/info`, { ...info, address })).status).toBe(200)
  const copy = run(team.reproduction())
  expect(JSON.stringify(copy.snapshot())).toBe(JSON.stringify(team.snapshot()))
})

it('sends the same body from the test that the inspector writes', () => {
  const body = JSON.parse('{"__proto__": {"a": 1}, "b": "{\\n\\"__proto__\\": 2}"}')
  const request = { params: {}, query: {}, body, headers: {}, url: '' }
  const entry = { operation: undefined, method: 'POST', path: '/none', request, outcome: 'lost' }
  const code = requestTestOf(entry as unknown as SentRequest, undefined)
  const [, call = ''] = /(client\.request\([\s\S]*?\))\.catch/.exec(code) ?? []
  const sent = new Function('client', `return ${call}`)({
    request: (_: string, __: string, init: { body: unknown }) => JSON.stringify(init.body),
  })
  expect(sent).toBe(JSON.stringify(body))
})
