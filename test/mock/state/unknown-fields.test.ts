import { expect, it, onTestFinished } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { connectMock } from '../../../mock/remote/connect.ts'
import { serve } from '../../../mock/server/server.ts'

const user_id = 'f3f4a1c2-5b6d-4e7f-8a9b-0c1d2e3f4a5b'

it.each<[string, (team: Team) => unknown, string]>([
  [
    'a field',
    (team) => team.users.create({ timeZone: 'UTC' } as never),
    "Unknown option 'timeZone' in the input of users.create. Did you mean time_zone?",
  ],
  [
    'another field',
    (team) => team.users.create({ dob: '1990-01-01' } as never),
    "Unknown option 'dob' in the input of users.create. Use one of user_id, info, client_user_id, persona, time_zone, born, connections, living.",
  ],
  [
    'a part',
    (team) => team.users.create({ info: { firstname: 'Jane' } } as never),
    "Unknown option 'firstname' in info of users.create. Did you mean first_name?",
  ],
  [
    'a string',
    (team) => team.users.create('athlete' as never),
    'Expected the input of users.create to be an object, but got "athlete".',
  ],
  [
    'null',
    (team) => team.users.create(null as never),
    'Expected the input of users.create to be an object, but got null.',
  ],
  [
    'a field of create only',
    (team) => team.users.update(user_id, { connections: [] } as never),
    "Unknown option 'connections' in the input of users.update. Use one of user_id, info, created_at, client_user_id, persona, time_zone, born, sex, living.",
  ],
  [
    'a changed part',
    (team) => team.users.update(user_id, { info: { email_address: 'x' } } as never),
    "Unknown option 'email_address' in info of users.update. Use one of first_name, last_name, email, phone_number, gender, dob, address, medical_proxy, race, ethnicity, sexual_orientation, gender_identity.",
  ],
  [
    'a field of an order',
    (team) => team.orders.create({ state: 'received' } as never),
    "Unknown option 'state' in the input of orders.create.",
  ],
  [
    'no changes',
    (team) => team.orders.update('x', null as never),
    'Expected the input of orders.update to be an object, but got null.',
  ],
  [
    'a field of an appointment',
    (team) => team.appointments.create({ startAt: null } as never),
    "Unknown option 'startAt' in the input of appointments.create. Did you mean start_at?",
  ],
  [
    'a field of a row',
    (team) => team.data.create({ user_id, resource: 'sleep', value: {} } as never),
    "Unknown option 'value' in the input of data.create. Did you mean values?",
  ],
  [
    'a field of a connection',
    (team) => team.connections.create({ user_id, provider: 'oura', scopes: [] } as never),
    "Unknown option 'scopes' in the input of connections.create.",
  ],
  [
    'a part of an insurance',
    (team) => team.insurances.create({ user_id, insurance: { payor: 'x' } } as never),
    "Unknown option 'payor' in insurance of insurances.create.",
  ],
  [
    'a field of the catalogue',
    (team) => team.catalogue.labs.create({ nam: 'Lab' } as never),
    "Unknown option 'nam' in the input of labs.create. Did you mean name?",
  ],
  [
    'an option',
    (team) => team.orders.complete('x', { Critical: true } as never),
    "Unknown option 'options.Critical'. Did you mean critical?",
  ],
  [
    'the value of an option',
    (team) => team.orders.complete('x', { critical: 'yes' } as never),
    'Expected options.critical to be a boolean, but got "yes".',
  ],
  [
    'a filter',
    (team) => team.users.list({ persone: 'athlete' } as never),
    "Unknown option 'persone' in the filter of users.list. Did you mean persona?",
  ],
])('refuses %s', (_, call, message) => {
  const team = createMock().team()
  expect(() => call(team)).toThrow(
    expect.objectContaining({ code: 'invalid_option', message: expect.stringContaining(message) }),
  )
  expect([team.users.size, team.orders.size]).toEqual([0, 0])
})

it('returns the same error over the control API', async () => {
  const mock = createMock()
  const server = await serve(mock, { gracePeriod: 0 })
  onTestFinished(() => server.close())
  const remote = connectMock(`${server.url}/`, mock.defaultTeam.apiKey)
  const { id } = await remote.orders.create()
  const calls: [() => Promise<unknown>, string][] = [
    [() => remote.users.create({ timeZone: 'UTC' } as never), 'Did you mean time_zone?'],
    [
      () => remote.users.create({ info: { firstname: 'Jane' } } as never),
      "Unknown option 'firstname' in info of users.create. Did you mean first_name?",
    ],
    [() => remote.orders.complete(id, { Critical: true } as never), 'Did you mean critical?'],
    [
      () => remote.orders.update(id, { state: 'x' } as never),
      'state: Unknown field. Did you mean status?',
    ],
  ]
  for (const [call, message] of calls) {
    await expect(call()).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(message),
    })
  }
})

it('ignores the case of a UUID, and accepts null as personal data', () => {
  const team = createMock().team()
  const user = team.users.create({ user_id: user_id.toUpperCase(), info: null })
  expect(user).toMatchObject({ user_id, info: null })
})
