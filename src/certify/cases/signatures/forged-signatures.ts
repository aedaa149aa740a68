import { type CaseDefinition, defineCertifyCases } from '../../case.ts'
import { nightMessage } from '../../events.ts'
import { eventMessage, type MessageHeaders, signMessage } from '../../message.ts'

const basis = 'Standard Webhooks (assumption)'
const whole =
  'Compare the complete signature in constant time, with crypto.timingSafeEqual or verifyEvent.'
const form =
  'Check only signatures that consist of `v1,` followed by 32 base64-encoded bytes. Ignore all other signatures, and reject the message if none is left.'

/** The length of a signature in base64, without the padding. */
const digits = 43

/** Changes that make a valid signature invalid. `value` is the part after `v1,`. */
const changes: Record<string, Pick<CaseDefinition, 'title' | 'remedy'> & { all: Change[] }> = {
  'one-character': {
    title: 'Rejects a signature with one wrong character at any position',
    remedy: whole,
    all: Array.from({ length: digits }, (_, at) => (value) => `v1,${replaceDigit(value, at)}`),
  },
  'only-parts': {
    title: 'Rejects a signature that is correct only at its beginning, middle or end',
    remedy: whole,
    all: [1, 2, 4, 5, 8, 12, 18, 22, 32, 40].flatMap((length): Change[] => [
      (value) => `v1,${keep(value, 0, length)}`,
      (value) => `v1,${keep(value, digits - length, digits)}`,
      (value) => `v1,${keep(value, 10, 10 + length)}`,
    ]),
  },
  shortened: {
    title: 'Rejects a signature that is truncated at either end',
    remedy: whole,
    all: [1, 2, 4, 5, 8, 12, 18, 22, 32, 40].flatMap((length): Change[] => [
      (value) => `v1,${value.slice(0, length)}`,
      (value) => `v1,${value.slice(-length)}`,
    ]),
  },
  malformed: {
    title: 'Rejects a malformed signature',
    remedy: form,
    all: ['', ' ', ',', 'v1', 'v1,', 'v1,=', 'v1,null', 'v1,undefined', 'none,', 'v1, v1,'].map(
      (text) => () => text,
    ),
  },
  'version-forms': {
    title: 'Rejects a signature whose version is not exactly v1',
    remedy: form,
    all: ['', 'v', '1', 'v0', 'v10', 'v11', 'V1', 'xv1', 'v1a', 'v1,v1'].map(
      (version) => (value) => `${version},${value}`,
    ),
  },
  'version-elsewhere': {
    title: 'Rejects a valid signature of a different version next to an invalid v1 signature',
    remedy: form,
    all: ['v2', 'v1a', ''].flatMap((version): Change[] => [
      (value) => `v1,${replaceDigit(value, 5)} ${version},${value}`,
      (value) => `${version},${value} v1,${replaceDigit(value, 5)}`,
    ]),
  },
}

type Change = (value: string) => string

/**
 * Keys that are easy to guess or result from a missing setting. A key of one zero byte produces the same signatures as
 * an empty key.
 */
const guessableKeys = ['\0', 'undefined', 'null', 'None', 'whsec_', 'secret', 'test', 'changeme']

/** The secret in the Standard Webhooks examples. */
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export const forgedSignatureCases = defineCertifyCases('signature', basis, {
  ...Object.fromEntries(
    Object.entries(changes).map(([name, { all, ...texts }]): [string, CaseDefinition] => [
      name,
      {
        ...texts,
        async run(trial) {
          const message = nightMessage(trial)
          const headers = await trial.sign(message)
          const value = headers['webhook-signature'].slice('v1,'.length)
          for (const change of all) {
            await trial.reject(message, { ...headers, 'webhook-signature': change(value) })
          }
        },
      },
    ]),
  ),
  'guessable-secret': {
    title: 'Rejects a signature made with an empty, easily guessed or published secret',
    remedy:
      'Refuse to start without a secret. Decode the part after whsec_ as base64, and check that the result is not empty.',
    async run(trial) {
      const message = nightMessage(trial)
      const keys = guessableKeys.map((key) => `whsec_${btoa(key)}`)
      const { secrets } = trial.settings
      for (const secret of [...keys, exampleSecret].filter((one) => !secrets.includes(one))) {
        await trial.reject(message, await signMessage(message, secret))
      }
    },
  },
  'changed-bytes': {
    title: 'Rejects a body whose bytes were changed, even if its JSON is equivalent',
    basis: 'Standard Webhooks (assumption): the signature covers the raw bytes',
    remedy:
      'Verify the signature against the raw body bytes. Re-serializing the parsed JSON drops duplicate fields that an attacker added, so the forgery would pass.',
    async run(trial) {
      const message = nightMessage(trial)
      const headers = await trial.sign(message)
      for (const body of sameJson(message.body)) await trial.reject({ ...message, body }, headers)
    },
  },
  'duplicate-headers': {
    title: 'Rejects a message with several ids or timestamps, only one of which is signed',
    remedy:
      'Use the complete values of webhook-id and webhook-timestamp. Node joins repeated headers with a comma.',
    async run(trial) {
      const message = nightMessage(trial)
      const headers = await trial.sign(message)
      for (const forged of repeatedHeaders(headers)) await trial.reject(message, forged)
    },
  },
})

/**
 * Replaces the base64 digit at a position. The new digit differs in its first bit, because the last bits may be
 * padding.
 */
function replaceDigit(value: string, at: number): string {
  const other = /[A-Za-f]/.test(value[at] ?? '') ? 'w' : 'A'
  return `${value.slice(0, at)}${other}${value.slice(at + 1)}`
}

/** Keeps the digits from `from` to `to` (exclusive) and replaces all others. */
function keep(value: string, from: number, to: number): string {
  return [...value.slice(0, digits)].reduce(
    (kept, _, at) => (at >= from && at < to ? kept : replaceDigit(kept, at)),
    value,
  )
}

function sameJson(body: string): string[] {
  const addedField = `{"user_id":"${crypto.randomUUID()}",`
  return [`${body} `, ` ${body}`, `${body}\n`, body.replace('{', addedField)]
}

function repeatedHeaders(headers: MessageHeaders): MessageHeaders[] {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers
  const [otherId, later] = [eventMessage('').id, `${Number(timestamp) + 1}`]
  return [
    { ...headers, 'webhook-id': `${id}, ${otherId}` },
    { ...headers, 'webhook-id': `${otherId}, ${id}` },
    { ...headers, 'webhook-timestamp': `${timestamp}, ${later}` },
    { ...headers, 'webhook-timestamp': `${later}, ${timestamp}` },
  ]
}
