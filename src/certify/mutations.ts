import { isSigned, signaturesOf } from '../events/signature.ts'
import { isObject } from '../shared/narrow.ts'
import { milliseconds } from './compare.ts'
import { type EventMessage, eventMessage, type MessageHeaders, signMessage } from './message.ts'
import type { CertifySettings } from './options.ts'
import type { AbortableProbe, StoredState } from './probe.ts'

/** The receiver checks that `certify --mutate` bypasses, one at a time. */
export const receiverChecks = ['signature', 'time', 'dedupe', 'order', 'type'] as const
/** A receiver check, such as `signature`. */
export type ReceiverCheck = (typeof receiverChecks)[number]

interface Delivery extends EventMessage {
  headers: MessageHeaders
  /** A Unix timestamp in seconds, or NaN if the header is missing or not a number. */
  timestamp: number
}

interface Mutation {
  /** Returns the message to sign and send instead, or undefined to send the original. */
  change: (delivery: Delivery) => Promise<Delivery | undefined>
  /** Undoes the changes in the probe's result. */
  restore?: (state: StoredState) => StoredState
}

/** The maximum difference between the message timestamp and the current time, in seconds. */
const tolerance = 300

export function withoutCheck(settings: CertifySettings, check: ReceiverCheck): CertifySettings {
  const { change, restore } = createMutation(check, settings.secrets)
  const { target, probe } = settings
  const send = async (request: Request) => {
    const delivery = await readDelivery(request)
    const changed = await change(delivery)
    return target.send(changed ? await signedRequest(request, changed, settings) : request)
  }
  return {
    ...settings,
    target: { ...target, send },
    probe: probe && restore ? restoring(probe, restore) : probe,
  }
}

function createMutation(check: ReceiverCheck, secrets: readonly string[]): Mutation {
  const isGenuine = ({ id, timestamp, body, headers }: Delivery) =>
    isSigned(
      { id, timestamp, body: new TextEncoder().encode(body) },
      signaturesOf(headerOf(headers, 'signature')),
      secrets,
    )
  const isValid = async (delivery: Delivery) =>
    Math.abs(nowInSeconds() - delivery.timestamp) <= tolerance && (await isGenuine(delivery))
  /** Changes only messages with a valid signature and timestamp, so the receiver's other checks still apply. */
  const genuine = (change: (delivery: Delivery) => Delivery | undefined) => ({
    change: async (delivery: Delivery) =>
      (await isValid(delivery)) ? change(delivery) : undefined,
  })
  const mutations: Record<ReceiverCheck, () => Mutation> = {
    signature: () => ({
      change: async ({ id, timestamp, ...delivery }) => ({
        ...delivery,
        id: id || eventMessage('').id,
        timestamp: Number.isSafeInteger(timestamp) ? timestamp : nowInSeconds(),
      }),
    }),
    time: () => ({
      change: async (delivery) =>
        (await isGenuine(delivery)) ? { ...delivery, timestamp: nowInSeconds() } : undefined,
    }),
    dedupe: () => {
      const originals = new Map<string, string>()
      return {
        ...genuine((delivery) => {
          const { id } = eventMessage('')
          originals.set(id, delivery.id)
          return { ...delivery, id }
        }),
        restore: ({ handled, ...state }) => ({
          ...state,
          ...(handled ? { handled: handled.map((id) => originals.get(id) ?? id) } : {}),
        }),
      }
    },
    order: () => {
      const originals = new Map<number | undefined, unknown>()
      let latest = Date.now()
      const later = (record: unknown) => {
        if (!isObject(record) || record['updated_at'] === undefined) return record
        latest += 1
        originals.set(latest, record['updated_at'])
        return { ...record, updated_at: new Date(latest).toISOString() }
      }
      return {
        ...genuine((delivery) => changeEvent(delivery, (event) => withRecords(event, later))),
        restore: ({ records, ...state }) => ({
          ...state,
          ...(records ? { records: records.map((record) => restoreTime(record, originals)) } : {}),
        }),
      }
    },
    type: () =>
      genuine((delivery) =>
        changeEvent(delivery, (event) => ({ ...event, event_type: 'daily.data.sleep.created' })),
      ),
  }
  return mutations[check]()
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

function headerOf(headers: MessageHeaders, name: string): string {
  return headers[`webhook-${name}`] ?? headers[`svix-${name}`] ?? ''
}

async function readDelivery(request: Request): Promise<Delivery> {
  const headers = Object.fromEntries(request.headers)
  const timestamp = headerOf(headers, 'timestamp')
  return {
    id: headerOf(headers, 'id'),
    timestamp: timestamp === '' ? Number.NaN : Number(timestamp),
    body: await request.clone().text(),
    headers,
  }
}

async function signedRequest(
  { url, signal }: Request,
  { id, timestamp, body, headers }: Delivery,
  { secrets }: CertifySettings,
): Promise<Request> {
  const signed = await signMessage({ id, body }, secrets[0], timestamp - Date.now() / 1000)
  const others = Object.entries(headers).filter(([name]) => !/^(?:webhook|svix)-/.test(name))
  const init = { headers: { ...Object.fromEntries(others), ...signed }, body, signal }
  return new Request(url, { method: 'POST', redirect: 'manual', ...init })
}

/** Changes a delivery's event. Returns undefined if the body is not a JSON object. */
function changeEvent(
  delivery: Delivery,
  change: (event: Record<string, unknown>) => object,
): Delivery | undefined {
  try {
    const event: unknown = JSON.parse(delivery.body)
    return isObject(event) ? { ...delivery, body: JSON.stringify(change(event)) } : undefined
  } catch {
    return undefined
  }
}

function withRecords(
  { data, ...event }: Record<string, unknown>,
  change: (record: unknown) => unknown,
): object {
  if (!isObject(data) || !Array.isArray(data['data'])) return { ...event, data }
  return { ...event, data: { ...data, data: data['data'].map(change) } }
}

function restoreTime(
  record: Readonly<Record<string, unknown>>,
  originals: ReadonlyMap<number | undefined, unknown>,
) {
  const original = originals.get(milliseconds(record['updated_at']))
  return original === undefined ? record : { ...record, updated_at: original }
}

function restoring(
  probe: AbortableProbe,
  restore: (state: StoredState) => StoredState,
): AbortableProbe {
  return async (question, signal) => {
    const answer = await probe(question, signal)
    const state = Array.isArray(answer) ? { records: answer } : answer
    // `readProbe` rejects results of any other type.
    return isObject(state) ? restore(state) : state
  }
}
