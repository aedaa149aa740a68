import { accepts, type CaseDefinition, defineCertifyCases } from '../case.ts'
import { connectionCreated, sleepCreated, testDataEvent, testNight } from '../events.ts'

const types =
  'Respond with 2xx to unknown types: the service may add types, and any other status makes it retry. Use the fallback option of eventHandler.'
const fields =
  'Ignore unknown fields and values. Do not validate events with a schema that forbids them.'
const basis = 'Specification part 9, rule 2, and part 6: the list of event types is incomplete'

export const unknownCases = defineCertifyCases('unknown', basis, {
  'event-type': accepted('Accepts an unknown event type', types, (userId) => ({
    event_type: 'message.attempt.exhausted',
    user_id: userId,
    data: { attempt: 8 },
  })),
  resource: accepted('Accepts data for an unknown resource', types, (userId) =>
    testDataEvent('daily.data.bone_conduction.created', userId, [
      { timestamp: '2025-06-01T07:00:00Z', value: 7, unit: 'dB' },
    ]),
  ),
  'envelope-field': accepted('Accepts unknown envelope fields', fields, (userId) => ({
    ...sleepCreated(userId, testNight(userId)),
    team_id: crypto.randomUUID(),
    client_user_id: null,
    new_field: { list: [1, null] },
  })),
  'data-field': accepted('Accepts unknown fields in data, source and records', fields, (userId) =>
    testDataEvent(
      'daily.data.sleep.created',
      userId,
      [testNight(userId, { new_score: { value: 5 }, new_list: [] })],
      { new_field: true, source: { provider: 'oura', type: 'ring', app_id: null, device: 'x' } },
    ),
  ),
  'source-type': accepted('Accepts an unknown source type', fields, (userId) =>
    testDataEvent('daily.data.sleep.created', userId, [testNight(userId)], {
      source: { provider: 'oura', type: 'earring', app_id: null },
    }),
  ),
  provider: accepted('Accepts a connection to an unknown provider', fields, (userId) =>
    connectionCreated(userId, {
      provider: { name: 'Later', slug: 'later_provider', logo: null },
    }),
  ),
  value: accepted('Accepts an unknown enumeration value', fields, (userId) =>
    sleepCreated(userId, testNight(userId, { state: 'revised', type: 'power_nap' })),
  ),
})

function accepted(
  title: string,
  remedy: string,
  eventOf: (userId: string) => object,
): CaseDefinition {
  return { title, remedy, run: accepts(eventOf) }
}
