import { createHmac } from 'node:crypto'
import type { Head } from '../receiver.ts'
import { mutantsOf } from './mutant.ts'

/** Receivers with a bug in the verification. */
export const signatureMutants = mutantsOf({
  'does not verify signatures': () => ({ isSigned: () => true }),
  'verifies only when there is a signature': (receiver) => ({
    receive: async (request) => {
      if (request.headers.has('webhook-signature') || request.headers.has('svix-signature')) {
        return Object.getPrototypeOf(receiver).receive.call(receiver, request)
      }
      await receiver.handle(await request.json())
      return new Response()
    },
  }),
  'verifies the body again made from the parsed JSON': (receiver) => ({
    contentOf: ({ id, timestamp }, raw) =>
      `${id}.${timestamp}.${JSON.stringify(receiver.parse(raw))}`,
  }),
  'trims the body': () => ({ read: async (request) => (await request.text()).trim() }),
  'reads the body as latin1': () => ({
    read: async (request) => Buffer.from(await request.arrayBuffer()).toString('latin1'),
  }),
  'signs the body only': () => ({ contentOf: (_, raw) => raw }),
  'signs without the id': () => ({ contentOf: ({ timestamp }, raw) => `${timestamp}.${raw}` }),
  'compares the body without the timestamp of the header': () => {
    let first: string | undefined
    return {
      contentOf: ({ id, timestamp }, raw) => {
        first ??= timestamp
        const isClose = Math.abs(Number(timestamp) - Number(first)) < 60
        return `${id}.${isClose ? first : timestamp}.${raw}`
      },
    }
  },
  'uses the whole secret as the key': (receiver) => ({
    signatureOf: (head, raw, key) =>
      `v1,${createHmac('sha256', key).update(receiver.contentOf(head, raw)).digest('base64')}`,
  }),
  'compares hexadecimal signatures': (receiver) => ({
    signatureOf: (head, raw, key) =>
      `v1,${createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
        .update(receiver.contentOf(head, raw))
        .digest('hex')}`,
  }),
  'compares the beginning of signatures': () => ({
    isEqual: (signature, expected) => expected.startsWith(signature),
  }),
  'compares as many characters as there are': () => ({
    isEqual: (signature, expected) => expected.slice(0, signature.length) === signature,
  }),
  'compares the length and the first four characters of signatures': () => ({
    isEqual: (signature, expected) =>
      signature.length === expected.length && signature.slice(0, 7) === expected.slice(0, 7),
  }),
  'compares the first 18 characters of signatures': () => ({
    isEqual: (signature, expected) => signature.slice(0, 18) === expected.slice(0, 18),
  }),
  'compares the last five characters of signatures': () => ({
    isEqual: (signature, expected) => signature.slice(-5) === expected.slice(-5),
  }),
  'compares the end of signatures': () => ({
    isEqual: (signature, expected) =>
      /^v1,[^,]{4,}$/.test(signature) && expected.endsWith(signature.slice(3)),
  }),
  'accepts signatures of separators': (receiver) => ({
    isSigned: (head, raw) =>
      /^[ ,]+$/.test(head.signatures) ||
      Object.getPrototypeOf(receiver).isSigned.call(receiver, head, raw),
  }),
  'compares the length of signatures': () => ({
    isEqual: (signature, expected) => signature.length === expected.length,
  }),
  'compares the middle of signatures': () => ({
    isEqual: (signature, expected) =>
      signature.length === expected.length && signature.slice(10, 40) === expected.slice(10, 40),
  }),
  'compares all but the last character of signatures': () => ({
    isEqual: (signature, expected) => signature.slice(0, -2) === expected.slice(0, -2),
  }),
  'finds the expected signature anywhere in the header': () => ({
    isEqual: (signature, expected) => signature.includes(expected.slice(3)),
  }),
  'accepts any version that begins with v1': () => ({
    isEqual: (signature, expected) =>
      signature.startsWith('v1') && signature.split(',').at(-1) === expected.slice(3),
  }),
  'accepts an empty version': () => ({
    isEqual: (signature, expected) => [expected, expected.slice(2)].includes(signature),
  }),
  'compares versions without upper and lower case': () => ({
    isEqual: (signature, expected) => signature.replace(/^V/, 'v') === expected,
  }),
  'also accepts signatures with an empty key': (receiver) => ({
    isSigned: (head, raw) =>
      Object.getPrototypeOf(receiver).isSigned.call(receiver, head, raw) ||
      head.signatures === receiver.signatureOf(head, raw, 'whsec_'),
  }),
  'also accepts signatures with the secret as text': (receiver) => ({
    signatureOf: (head, raw, key) =>
      head.signatures === textSignature(head, raw, key)
        ? head.signatures
        : Object.getPrototypeOf(receiver).signatureOf.call(receiver, head, raw, key),
  }),
  'verifies data events only': (receiver) => ({
    receive: async (request) => {
      const event = await request
        .clone()
        .json()
        .catch(() => ({}))
      if (/^provider[.]/.test(event.event_type ?? '')) return new Response()
      return Object.getPrototypeOf(receiver).receive.call(receiver, request)
    },
  }),
  'accepts an empty body': (receiver) => ({
    receive: async (request) => {
      if ((await request.clone().text()) === '') return new Response()
      return Object.getPrototypeOf(receiver).receive.call(receiver, request)
    },
  }),
  'decodes the secret a second time, and accepts both': (receiver) => ({
    isSigned: (head, raw) =>
      Object.getPrototypeOf(receiver).isSigned.call(receiver, head, raw) ||
      head.signatures === receiver.signatureOf(head, raw, `whsec_${btoa('undefined')}`),
  }),
  'verifies JSON that it serialized again, and the raw body': (receiver) => {
    let parsed = ''
    return {
      isSigned: (head, raw) => {
        parsed = JSON.stringify(JSON.parse(raw))
        const { isSigned } = Object.getPrototypeOf(receiver)
        return isSigned.call(receiver, head, raw) || isSigned.call(receiver, head, parsed)
      },
    }
  },
  'uses the first of several ids': (receiver) => ({
    headOf: (headers) => {
      const head = Object.getPrototypeOf(receiver).headOf.call(receiver, headers)
      return head && { ...head, id: head.id.split(', ')[0] }
    },
  }),
  'uses the last of several timestamps': (receiver) => ({
    headOf: (headers) => {
      const head = Object.getPrototypeOf(receiver).headOf.call(receiver, headers)
      return head && { ...head, timestamp: head.timestamp.split(', ').at(-1) }
    },
  }),
  'compares signatures without upper and lower case': () => ({
    isEqual: (signature, expected) =>
      signature.startsWith('v1,') && signature.toLowerCase() === expected.toLowerCase(),
  }),
  'ignores the version of a signature': () => ({
    isEqual: (signature, expected) => signature.split(',').at(-1) === expected.slice(3),
  }),
  'accepts signatures without a version': () => ({
    isEqual: (signature, expected) => signature === expected || `v1,${signature}` === expected,
  }),
  'compares the whole header with one signature': (receiver) => ({
    isSigned: (head, raw) =>
      receiver.secrets.some((one) => head.signatures === receiver.signatureOf(head, raw, one)),
  }),
  'checks only the first signature': (receiver) => ({
    isSigned: (head, raw) => {
      const [first = ''] = head.signatures.split(' ')
      return receiver.secrets.some((one) => first === receiver.signatureOf(head, raw, one))
    },
  }),
  'checks only the last signature': (receiver) => ({
    isSigned: (head, raw) => {
      const last = head.signatures.split(' ').at(-1)
      return receiver.secrets.some((one) => last === receiver.signatureOf(head, raw, one))
    },
  }),
  'rejects messages with an unknown version beside v1': (receiver) => ({
    isSigned: (head, raw) =>
      head.signatures.split(' ').every((one) => one.startsWith('v1,')) &&
      Object.getPrototypeOf(receiver).isSigned.call(receiver, head, raw),
  }),
  'requires headers that begin with webhook-': () => ({
    headOf: (headers) => {
      const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
        headers.get(`webhook-${name}`),
      )
      return id && timestamp && signatures ? { id, timestamp, signatures } : undefined
    },
  }),
  'crashes without headers': () => ({
    headOf: (headers) => {
      const signatures = headers.get('webhook-signature') ?? headers.get('svix-signature')
      if (signatures === null) throw new TypeError('no signature')
      const id = headers.get('webhook-id') ?? headers.get('svix-id') ?? ''
      const timestamp = headers.get('webhook-timestamp') ?? headers.get('svix-timestamp') ?? ''
      return { id, timestamp, signatures }
    },
  }),
  'needs no id': (receiver) => ({
    headOf: (headers) => {
      const known = Object.getPrototypeOf(receiver).headOf.call(receiver, headers)
      const { 'webhook-timestamp': timestamp, 'webhook-signature': signatures } =
        Object.fromEntries(headers)
      return known ?? (timestamp && signatures ? { id: '', timestamp, signatures } : undefined)
    },
    isSigned: (head, raw) =>
      head.id === '' || Object.getPrototypeOf(receiver).isSigned.call(receiver, head, raw),
  }),
  'rejects a content type with a charset': (receiver) => ({
    receive: (request) =>
      request.headers.get('content-type') === 'application/json'
        ? Object.getPrototypeOf(receiver).receive.call(receiver, request)
        : new Response(null, { status: 415 }),
  }),
})

/** Receivers with a bug in the check of the age. */
export const timestampMutants = mutantsOf({
  'checks the age of messages with one of the two names only': (receiver) => ({
    receive: async (request) => {
      if (request.headers.has('webhook-timestamp')) {
        return Object.getPrototypeOf(receiver).receive.call(receiver, request)
      }
      return Object.getPrototypeOf(receiver).receive.call(
        Object.assign(receiver, { isFresh: () => true }),
        request,
      )
    },
  }),
  'checks the age with one name, and the signature with the other': (receiver) => {
    let now = ''
    return {
      receive: async (request) => {
        now = request.headers.get('svix-timestamp') ?? ''
        return Object.getPrototypeOf(receiver).receive.call(receiver, request)
      },
      isFresh: (head) =>
        Object.getPrototypeOf(receiver).isFresh.call(receiver, {
          ...head,
          timestamp: now || head.timestamp,
        }),
    }
  },
  'does not check the timestamp': () => ({ isFresh: () => true }),
  'accepts messages of the future': () => ({
    isFresh: ({ timestamp }) =>
      /^\d+$/.test(timestamp) && Date.now() / 1000 - Number(timestamp) <= 300,
  }),
  'accepts old messages': () => ({
    isFresh: ({ timestamp }) =>
      /^\d+$/.test(timestamp) && Number(timestamp) - Date.now() / 1000 <= 300,
  }),
  'tolerates 9:59 minutes': () => ({
    isFresh: ({ timestamp }) => Math.abs(Date.now() / 1000 - Number(timestamp)) <= 599,
  }),
  'tolerates six minutes': () => ({
    isFresh: ({ timestamp }) => Math.abs(Date.now() / 1000 - Number(timestamp)) <= 345,
  }),
  'tolerates an hour': () => ({
    isFresh: ({ timestamp }) => Math.abs(Date.now() / 1000 - Number(timestamp)) <= 3600,
  }),
  'tolerates a minute': () => ({
    isFresh: ({ timestamp }) => Math.abs(Date.now() / 1000 - Number(timestamp)) <= 60,
  }),
  'compares milliseconds with seconds': () => ({
    isFresh: ({ timestamp }) => Number(timestamp) - Date.now() <= 300,
  }),
  'accepts a timestamp that is not a number': () => ({
    isFresh: ({ timestamp }) => !(Math.abs(Date.now() / 1000 - Number(timestamp)) > 300),
  }),
  'rejects messages of the next second': () => ({
    isFresh: ({ timestamp }) => {
      const age = Date.now() / 1000 - Number(timestamp)
      return age >= -1 && age <= 300
    },
  }),
})

/** Returns the signature of a receiver that does not decode the secret. */
function textSignature({ id, timestamp }: Head, raw: string, key: string): string {
  return `v1,${createHmac('sha256', key.slice(6)).update(`${id}.${timestamp}.${raw}`).digest('base64')}`
}
