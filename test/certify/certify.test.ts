import { expect, it } from 'vitest'
import { createMock } from '../../mock/index.ts'
import { certify, certifyCases, toJunit, toTable } from '../../src/certify/index.ts'
import { eventHandler } from '../../src/events/index.ts'
import { secret } from '../support/signed.ts'
import { type Json, Receiver, reply } from './receiver.ts'

const _otherSecret = 'whsec_b3RoZXIgc2VjcmV0IG9mIHRoZSBlbmRwb2ludA=='
const handler = eventHandler({ secrets: secret, on: {}, fallback: () => {} })

it('has a basis and a remedy for each case, and ids that are unique', () => {
  const ids = certifyCases.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThanOrEqual(35)
  for (const { basis, remedy, title } of certifyCases) {
    expect(`${basis} ${remedy}`).toMatch(/\w.*[.]$/)
    expect(title).toMatch(/^(?:Accepts|Rejects|Handles|Stores|Keeps|Applies|Responds)/)
  }
})

it('skips what it cannot see, with the reason', async () => {
  const { results, failed } = await certify({ handler, secret })
  const reasons = new Set(results.flatMap(({ reason }) => reason ?? []))
  expect(failed).toBe(0)
  expect([...reasons].sort()).toEqual([
    'only one secret was passed; pass the old and the new one to check a rotation',
    'probe is missing, so the stored records cannot be read; pass probe, or --probe <url> on the command line',
    'simulate.delay is missing; pass it to slow the receiver down once',
  ])
})

it('skips the cases about a field that the probe does not return', async () => {
  const receiver = new Receiver()
  const options = receiver.options()
  const probe = () => receiver.stored().map(({ id }) => ({ id }))
  const { results } = await certify({ ...options, probe, only: ['order/stale-update'] })
  expect(results[0]?.reason).toBe("the probe's records do not contain score")
})

it('skips all other cases when a signed event is not accepted', async () => {
  const report = await certify({ handler: async () => reply(401), secret })
  expect(report.failed).toBe(1)
  expect(report.skipped).toBe(certifyCases.length - 1)
  expect(report.results[1]?.reason).toBe('the case signature/valid failed')
})

it('stops after two cases time out', async () => {
  let count = 0
  const hanging = (request: Request) => {
    count += 1
    return count === 1 ? handler(request) : new Promise<Response>(() => {})
  }
  const { results, failed } = await certify({ handler: hanging, secret, timeout: 10 })
  expect(failed).toBe(2)
  expect(results[3]?.reason).toBe('2 cases timed out; if the receiver is slow, increase timeout')
})

it('compares times and numbers in other formats', async () => {
  const receiver = new Receiver()
  const probe = () =>
    receiver.stored().map((night) => ({
      ...night,
      score: String(night['score']),
      bedtime_stop: new Date(String(night['bedtime_stop'])),
      updated_at: String(night['updated_at']).replace('Z', '+00:00'),
    }))
  const { results } = await certify({ ...receiver.options(), probe, only: ['data/stored'] })
  expect(results[0]?.outcome).toBe('passed')
})

it('sends nights with the fields of summary events', async () => {
  const receiver = new Receiver()
  await certify({ ...receiver.options(), only: ['data/stored', 'data/local-day'] })
  const team = createMock().team()
  const { user_id } = team.users.create()
  const { body } = team.trigger('daily.data.sleep.created', { user_id })
  const known = ['provider', ...Object.keys(Object(body).data.data[0])]
  const sent = receiver.stored().flatMap((night) => Object.keys(night))
  expect(sent).toContain('bedtime_stop')
  expect(sent.filter((name) => !known.includes(name))).toEqual([])
})

it('waits for work in the background', async () => {
  const receiver = new Receiver()
  const work: Promise<unknown>[] = []
  receiver.respond = async (_, event) => {
    work.push(new Promise((resolve) => setTimeout(resolve, 5)).then(() => receiver.handle(event)))
    return reply(200)
  }
  const probe = () => receiver.stored()
  const only = ['data/stored']
  const { failed } = await certify({ ...receiver.options(), probe, settleTime: 500, only })
  expect(failed).toBe(0)
  await Promise.all(work)
})

it('creates users with the given function', async () => {
  const users: unknown[] = []
  const user = '6f1a3f0e-3a6e-4d0f-8a3e-0d8f2b1c4a55'
  const receive = eventHandler({
    secrets: secret,
    on: {},
    fallback: ({ user_id }) => {
      users.push(user_id)
    },
  })
  await certify({ handler: receive, secret, user: () => user, only: ['signature/valid'] })
  expect(users).toEqual([user])
})

it('reports that an option threw, without its message', async () => {
  const probe = () => {
    throw new RangeError('patient Stone')
  }
  const { results } = await certify({ handler, secret, probe, only: ['data/stored'] })
  expect(results[0]?.reason).toBe(
    'The case could not run: probe, user, team or simulate threw RangeError.',
  )
})

it.each([
  [{ secret }, 'Expected the options of certify to contain either url or handler'],
  [
    { secret, handler, url: 'http://127.0.0.1:1' },
    'Expected the options of certify to contain either url or handler',
  ],
  [{ secret, url: 'receiver.test' }, 'Expected url to be an http or https URL.'],
  [{ secret, handler, probe: 'receiver.test' }, 'Expected probe to be an http or https URL.'],
  [
    { secret, url: 'http://a:b@127.0.0.1:1' },
    'Expected url to contain neither a user name nor a password.',
  ],
  [{ secret, handler, timeout: 0 }, 'Expected timeout to be a number of milliseconds, 1 or more.'],
  [{ secret, handler, only: ['signatures'] }, 'No case matches the only and skip options.'],
  [{ secret, handler, team: {} as never }, 'Expected team to be a mock team'],
  [{ secret, handler, probe: 5 as never }, 'Expected probe to be a function or a URL.'],
  [{ secret, handler, user: 5 as never }, 'Expected user to be a user id or a function.'],
  [{ secret, handler, only: 'signature' as never }, 'Expected only to be an array'],
  [{ secret, handler, skip: 'signature' as never }, 'Expected skip to be an array'],
  [{ secret, handler, simulate: 5 as never }, 'Expected simulate to be an object'],
  [{ secret, handler, simulate: { fail() {} } as never }, 'Expected simulate to be an object'],
  [{ secret, handler, simulate: { delay: 5 as never } }, 'Expected simulate to be an object'],
  [undefined as never, 'Expected the options of certify to be an object.'],
  [{ secret: 'secret', handler }, 'Expected each secret to be whsec_ followed by base64.'],
])('rejects invalid options', async (options, message) => {
  await expect(certify(options)).rejects.toThrow(message)
})

it.each([
  {
    probe: () => new Promise<never>(() => {}),
    reason: 'Expected the probe to return within 100 ms.',
  },
  {
    probe: 'http://127.0.0.1:1/',
    reason: 'The probe did not respond: the connection failed.',
  },
])('fails a case whose probe does not return: $reason', async ({ probe, reason }) => {
  const options = { ...new Receiver().options(), timeout: 10, probe }
  const { results } = await certify({ ...options, only: ['order/updated'] })
  expect(results[0]).toMatchObject({ outcome: 'failed', reason })
})

it('prints the reason and the remedy of a failed case', async () => {
  const receive = async () => reply(401)
  const report = await certify({ handler: receive, secret, only: ['signature/valid'] })
  expect(toTable(report)).toMatchInlineSnapshot(`
    "FAILED  signature/valid  Accepts a signed event
            Expected a 2xx response, found status 401.
            Rule: Standard Webhooks (assumption)
            Fix: Check the URL and the receiver's secret. Make sure that no parser reads the body before the signature is verified.

    0 passed, 1 failed, 0 skipped
    "
  `)
  expect(toJunit(report)).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="certify" tests="1" failures="1" skipped="0">
      <testsuite name="signature" tests="1" failures="1" skipped="0">
        <testcase classname="signature/valid" name="Accepts a signed event"><failure message="Expected a 2xx response, found status 401.">Rule: Standard Webhooks (assumption)
    Fix: Check the URL and the receiver's secret. Make sure that no parser reads the body before the signature is verified.</failure></testcase>
      </testsuite>
    </testsuites>
    "
  `)
})

/** Returns a receiver that does something in the background, once it has responded. */
function lateReceiver(act: (receiver: Receiver, id: string, event: Json) => void): Receiver {
  const receiver = new Receiver()
  const receive = receiver.receive.bind(receiver)
  receiver.receive = async (request) => {
    const id = request.headers.get('webhook-id') ?? ''
    const copy = request.clone()
    const response = await receive(request)
    const event = await copy.json().catch(() => undefined)
    if (event) setTimeout(() => act(receiver, id, event), 60)
    return response
  }
  return receiver
}

it.each([
  {
    what: 'stores a rejected message later',
    act: (receiver: Receiver, _: string, event: Json) => void receiver.handle(event),
    only: 'signature/wrong-secret',
    reason: 'The receiver stored a record from a message that it had rejected.',
  },
  {
    what: 'handles a rejected message later',
    act: (receiver: Receiver, id: string) => void receiver.handled.push(id),
    only: 'timestamp/very-old',
    reason: 'The receiver handled a message that it had rejected.',
  },
  {
    what: 'handles a duplicate later',
    act: (receiver: Receiver, id: string) => void receiver.handled.push(id),
    only: 'duplicate/sequential-once',
    reason: 'The receiver handled the message 4 times instead of once.',
  },
])('sees within settleTime that a receiver $what', async ({ act, only, reason }) => {
  const options = { ...lateReceiver(act).options(), timeout: 1_000, settleTime: 300 }
  const { results } = await certify({ ...options, only: [only] })
  expect(results[0]).toMatchObject({ outcome: 'failed', reason })
})

it('ends a response body without an end', async () => {
  const endless = () => new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(9)) })
  const receive = async () => new Response(endless())
  const { failed } = await certify({ handler: receive, secret, only: ['signature'] })
  expect(failed).toBeGreaterThan(0)
})

it('ends a response body whose end never comes at the limit', async () => {
  const receive = async () => new Response(new ReadableStream())
  const only = ['signature/valid']
  const { results } = await certify({ handler: receive, secret, timeout: 50, only })
  expect(results[0]?.reason).toBe('Expected a 2xx response, found no response within 50 ms.')
})

it('goes on when the receiver fails with the first event, and accepts another', async () => {
  const receive = async (request: Request) => {
    const response = await handler(request.clone())
    const isNight = (await request.text()).includes('long_sleep')
    return isNight && response.ok ? reply(500) : response
  }
  const { results, skipped } = await certify({ handler: receive, secret, only: ['signature'] })
  expect(results[0]?.reason).toBe(
    'Expected a 2xx response, found status 500. The receiver accepts an event without records, so it has the correct secret.',
  )
  expect(skipped).toBe(0)
})

it.each([
  { status: 500, trusted: true },
  { status: 422, trusted: true },
  { status: 401, trusted: false },
  { status: 404, trusted: false },
])('goes on after status $status for each event: $trusted', async ({ status, trusted }) => {
  const receive = async (request: Request) => {
    const response = await handler(request)
    return response.ok ? reply(status) : response
  }
  const only = ['signature/valid', 'signature/wrong-secret']
  const { results } = await certify({ handler: receive, secret, only })
  expect(results[1]?.outcome).toBe(trusted ? 'passed' : 'skipped')
  expect(results[0]?.reason?.includes('The secret is probably correct')).toBe(trusted)
  expect(results[0]?.remedy?.includes('Look for the error in the receiver')).toBe(trusted)
})

it('runs a case again whose response did not come in time', async () => {
  let count = 0
  const slowAtFirst = (request: Request) => {
    count += 1
    return count === 1 ? new Promise<Response>(() => {}) : handler(request)
  }
  const only = ['signature/valid', 'signature/wrong-secret']
  const { failed } = await certify({ handler: slowAtFirst, secret, timeout: 100, only })
  expect(failed).toBe(0)
})

it('passes a receiver whose database returns UUIDs in upper case', async () => {
  const receiver = new Receiver()
  const upper = (value: unknown) =>
    typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value) ? value.toUpperCase() : value
  const probe = () =>
    receiver
      .stored()
      .map((record) =>
        Object.fromEntries(Object.entries(record).map(([name, value]) => [name, upper(value)])),
      )
  const { results } = await certify({ ...receiver.options(), probe, only: ['data', 'duplicate'] })
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect(results.some(({ outcome }) => outcome === 'passed')).toBe(true)
})
