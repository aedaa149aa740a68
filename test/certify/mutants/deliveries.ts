import { type Head, type Json, type Receiver, reply } from '../receiver.ts'
import { mutantsOf } from './mutant.ts'

/** Receivers with a bug in how often they handle a message, and in their responses. */
export const deliveryMutants = mutantsOf({
  'handles duplicates again': (receiver) => ({
    respond: (head, event) => receiver.attempt(head, event),
  }),
  'handles concurrent duplicates again': (receiver) => ({
    respond: async (head, event) =>
      receiver.done.has(head.id) ? reply(200) : receiver.attempt(head, event),
  }),
  'responds to duplicates with 409': (receiver) => ({
    respond: (head, event) =>
      receiver.done.has(head.id)
        ? Promise.resolve(reply(409))
        : Object.getPrototypeOf(receiver).respond.call(receiver, head, event),
  }),
  'responds to concurrent duplicates with 409, for ever': (receiver) => {
    const conflicts = new Set<string>()
    return {
      respond: async (head, event) => {
        if (receiver.running.has(head.id)) conflicts.add(head.id)
        if (conflicts.has(head.id)) return reply(409)
        return Object.getPrototypeOf(receiver).respond.call(receiver, head, event)
      },
    }
  },
  'marks a message as handled before it handles it': (receiver) => ({
    respond: async (head, event) => {
      if (receiver.done.has(head.id)) return reply(200)
      receiver.done.add(head.id)
      return receiver.attempt(head, event)
    },
  }),
  'responds with 200 when handling fails': (receiver) => ({
    attempt: async (head, event) => {
      await Object.getPrototypeOf(receiver).attempt.call(receiver, head, event)
      return reply(200)
    },
  }),
  'marks a message as handled before it verifies it': (receiver) => {
    const seen = new Set<string>()
    return {
      receive: (request) => {
        const { id = '' } = receiver.headOf(request.headers) ?? {}
        if (seen.has(id)) return Promise.resolve(reply(200))
        if (id) seen.add(id)
        return Object.getPrototypeOf(receiver).receive.call(receiver, request)
      },
    }
  },
  'handles a message before it verifies it': (receiver) => ({
    receive: async (request) => {
      const copy = request.clone()
      try {
        await receiver.handle(await copy.json())
      } catch {
        // It is not JSON.
      }
      return Object.getPrototypeOf(receiver).receive.call(receiver, request)
    },
  }),
  'remembers the last message only': (receiver) => ({
    respond: async (head, event) => {
      if (receiver.handled.at(-1) === head.id) return reply(200)
      return receiver.attempt(head, event)
    },
  }),
  'remembers the last 20 messages': (receiver) => ({
    respond: async (head, event) => {
      if (receiver.handled.slice(-20).includes(head.id)) return reply(200)
      receiver.done.delete(head.id)
      return Object.getPrototypeOf(receiver).respond.call(receiver, head, event)
    },
  }),
  'forgets messages after 300 ms': (receiver) => ({
    respond: (head, event) => {
      setTimeout(() => receiver.done.delete(head.id), 300)
      return Object.getPrototypeOf(receiver).respond.call(receiver, head, event)
    },
  }),
  'recognises duplicates by their signature': (receiver) => ({
    respond: (head, event) =>
      Object.getPrototypeOf(receiver).respond.call(
        receiver,
        { ...head, id: head.signatures },
        event,
      ),
  }),
  ...recognisesBy('x-request-id'),
  ...recognisesBy('x-idempotency-key'),
  ...recognisesBy('svix-id'),
  ...recognisesBy('webhook-id', 'svix-id'),
  'recognises duplicates by webhook-id and x-request-id together': (receiver) => {
    const base = Object.getPrototypeOf(receiver)
    return {
      headOf: (headers) => {
        const head = base.headOf.call(receiver, headers)
        return head && { ...head, request: headers.get('x-request-id') }
      },
      respond: (head: Head & { request?: string }, event) =>
        base.respond.call(receiver, { ...head, id: `${head.id} ${head.request}` }, event),
      attempt: async (head, event) => {
        const [id] = head.id.split(' ')
        const response = await base.attempt.call(receiver, { ...head, id }, event)
        if (response.ok) receiver.done.add(head.id)
        return response
      },
    }
  },
  'recognises duplicates by webhook-id or x-request-id': (receiver) => {
    const base = Object.getPrototypeOf(receiver)
    const seen = new Map<string, string>()
    return {
      headOf: (headers) => {
        const head = base.headOf.call(receiver, headers)
        return head && { ...head, request: headers.get('x-request-id') }
      },
      respond: async (head: Head & { request?: string | null }, event) => {
        const first = head.request ? (seen.get(head.request) ?? head.id) : head.id
        if (first !== head.id) return reply(200)
        const response = await base.respond.call(receiver, head, event)
        if (head.request) seen.set(head.request, head.id)
        return response
      },
    }
  },
  'recognises duplicates by user and type': (receiver) => ({
    respond: (head, event) =>
      Object.getPrototypeOf(receiver).respond.call(
        receiver,
        { ...head, id: `${event.user_id} ${event.event_type}` },
        event,
      ),
  }),
  redirects: () => ({ respond: async () => Response.redirect('https://receiver.test/other') }),
  'responds with 500': () => ({ respond: async () => reply(500) }),
  'responds with an error page': () => ({ respond: async () => reply(404) }),
  'throws when JSON is invalid': () => ({
    receive: async (request) => {
      JSON.parse(await request.text())
      return reply(200)
    },
  }),
  'never responds': () => ({ respond: () => new Promise(() => {}) }),
  'returns nothing': (receiver) => ({
    // As a handler without types.
    respond: async (head, event) => {
      await Object.getPrototypeOf(receiver).respond.call(receiver, head, event)
      return undefined as unknown as Response
    },
  }),
  'rejects bursts for ever': (receiver) => {
    const refused = new Set<string>()
    return {
      respond: async (head, event) => {
        if (receiver.running.size > 10) refused.add(head.id)
        return refused.has(head.id)
          ? reply(429)
          : Object.getPrototypeOf(receiver).respond.call(receiver, head, event)
      },
    }
  },
  'drops messages of bursts': (receiver) => ({
    respond: async (head, event) =>
      receiver.running.size > 10
        ? reply(200)
        : Object.getPrototypeOf(receiver).respond.call(receiver, head, event),
  }),
  'handles messages in a queue of 100 and drops the others': (receiver) => ({
    handle: async (event) => {
      if (event.data?.data?.length > 100) return
      await Object.getPrototypeOf(receiver).handle.call(receiver, event)
    },
  }),
})

/** Receivers that recognise duplicates by a header that they do not verify, unless it is missing. */
function recognisesBy(name: string, verified = 'webhook-id') {
  return {
    [`verifies ${verified}, and recognises duplicates by ${name}`]: (receiver: Receiver) => {
      const ids = new Map<string, string>()
      const base = Object.getPrototypeOf(receiver)
      return {
        headOf: (headers: Headers) => {
          const prefix = verified.replace(/id$/, '')
          const isComplete = ['id', 'timestamp', 'signature'].every((one) =>
            headers.has(prefix + one),
          )
          const others = [...headers].filter(([one]) => !isComplete || one.startsWith(prefix))
          const head = base.headOf.call(receiver, new Headers(others))
          if (head) ids.set(head.id, headers.get(name) ?? head.id)
          return head
        },
        respond: (head: Head, event: Json) =>
          base.respond.call(receiver, { ...head, id: ids.get(head.id) }, event),
      }
    },
  }
}
