import { type CaseDefinition, defineCertifyCases } from '../case.ts'
import { recordsOf } from '../compare.ts'
import { nightMessage, sleepCreated, testNight } from '../events.ts'

const basis = 'Standard Webhooks (assumption): the signature covers the raw bytes'
const remedy =
  'Verify the raw body bytes before any JSON parser runs: express.raw(), request.text() in a route handler, or rawBody in NestJS. Decode them as UTF-8.'

/** Cases with unusual but valid bodies. JSON.stringify(JSON.parse(body)) would change most of them. */
export const eventBodyCases = defineCertifyCases('body', basis, {
  whitespace: accepted('Accepts an indented body', (json) =>
    JSON.stringify(JSON.parse(json), null, 2),
  ),
  'trailing-newline': accepted('Accepts a body that ends with a line break', (json) => `${json}\n`),
  numbers: accepted('Accepts a body with numbers in unusual notations', (json) =>
    json.replace('"score":70', '"score":70.0').replace('"duration":33180', '"duration":3.318e4'),
  ),
  escapes: accepted('Accepts a body with escaped characters', (json) =>
    json.replace('"long_sleep"', '"long\\u005fsleep"').replace('"source"', '"sour\\u0063e"'),
  ),
  'non-ascii': accepted('Accepts a body with non-ASCII characters', (json) =>
    json.replace('"state"', '"title":"Schlaf in Zürich – 睡眠 😴","state"'),
  ),
  'integer-keys': accepted('Accepts a body whose fields a JSON parser would reorder', (json) =>
    json.replace('"state"', '"zones":{"10":1,"9":2,"1":3},"state"'),
  ),
  charset: {
    title: 'Accepts a content type with a charset',
    basis: 'HTTP: content-type may have parameters',
    remedy: 'Compare only the media type in content-type, not its parameters.',
    async run(trial) {
      const message = nightMessage(trial)
      const headers = await trial.sign(message)
      const type = 'application/json; charset=utf-8'
      await trial.accept(message, { ...headers, 'content-type': type })
    },
  },
})

function accepted(title: string, change: (json: string) => string): CaseDefinition {
  return {
    ...{ title, remedy },
    async run(trial) {
      const json = JSON.stringify(sleepCreated(trial.userId, testNight(trial.userId)))
      const { body } = await trial.accept(change(json))
      if (trial.settings.probe) await trial.expectStored(recordsOf(body))
    },
  }
}
