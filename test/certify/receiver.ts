import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CertifyOptions } from '../../src/certify/index.ts'
import { secret } from '../support/signed.ts'

// biome-ignore lint/suspicious/noExplicitAny: mutants read events of every shape.
export type Json = any

/** The signed parts of a request. */
export interface Head {
  id: string
  timestamp: string
  signatures: string
}

/** A correct receiver without this package, in small methods that mutants replace. */
export class Receiver {
  readonly secrets: string[] = [secret]
  readonly nights = new Map<string, Json>()
  readonly samples = new Map<string, Json>()
  readonly done = new Set<string>()
  readonly running = new Map<string, Promise<Response>>()
  readonly handled: string[] = []
  failures = 0
  delay = 0

  /** Options of certify for this receiver. */
  options(): CertifyOptions {
    return {
      handler: (request) => this.receive(request),
      secret: this.secrets,
      probe: () => ({ records: this.stored(), handled: [...this.handled] }),
      simulate: {
        failure: () => {
          this.failures += 1
        },
        delay: (milliseconds) => {
          this.delay = milliseconds
        },
      },
      timeout: 60,
      settleTime: 0,
    }
  }

  stored(): Json[] {
    const nights = [...this.nights.values()].map((night) => ({
      ...night,
      provider: night.source?.provider ?? night.source?.slug,
    }))
    return [...nights, ...this.samples.values()]
  }

  async receive(request: Request): Promise<Response> {
    const raw = await this.read(request)
    const head = this.headOf(request.headers)
    if (!head || !this.isFresh(head) || !this.isSigned(head, raw)) return reply(401)
    let event: Json
    try {
      event = this.parse(raw)
    } catch {
      return reply(400)
    }
    return this.respond(head, event)
  }

  async read(request: Request): Promise<string> {
    return request.text()
  }

  parse(raw: string): Json {
    return JSON.parse(raw)
  }

  headOf(headers: Headers): Head | undefined {
    const read = (name: string) =>
      headers.get(`webhook-${name}`) ?? headers.get(`svix-${name}`) ?? undefined
    const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(read)
    return id && timestamp && signatures ? { id, timestamp, signatures } : undefined
  }

  isFresh({ timestamp }: Head): boolean {
    return /^\d+$/.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300
  }

  isSigned(head: Head, raw: string): boolean {
    const expected = this.secrets.map((one) => this.signatureOf(head, raw, one))
    return head.signatures
      .split(' ')
      .some((signature) => expected.some((one) => this.isEqual(signature, one)))
  }

  signatureOf(head: Head, raw: string, key: string): string {
    const bytes = Buffer.from(key.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', bytes).update(this.contentOf(head, raw)).digest('base64')}`
  }

  contentOf({ id, timestamp }: Head, raw: string): string {
    return `${id}.${timestamp}.${raw}`
  }

  isEqual(signature: string, expected: string): boolean {
    const [one, other] = [Buffer.from(signature), Buffer.from(expected)]
    return one.length === other.length && timingSafeEqual(one, other)
  }

  /** Handles each message once; concurrent duplicates receive the same response. */
  async respond(head: Head, event: Json): Promise<Response> {
    if (this.done.has(head.id)) return reply(200)
    const running = this.running.get(head.id)
    if (running) return (await running).clone() as Response
    const result = this.attempt(head, event).finally(() => this.running.delete(head.id))
    this.running.set(head.id, result)
    return (await result).clone() as Response
  }

  async attempt({ id }: Head, event: Json): Promise<Response> {
    try {
      await this.work()
      await this.handle(event)
      this.done.add(id)
      this.handled.push(id)
      return reply(200)
    } catch {
      return reply(500)
    }
  }

  /** Takes time or fails, as `simulate` wants. */
  async work(): Promise<void> {
    const { delay } = this
    this.delay = 0
    await (delay > 0 ? new Promise((resolve) => setTimeout(resolve, delay)) : undefined)
    if (this.failures === 0) return
    this.failures -= 1
    throw new Error('the database is down')
  }

  async handle(event: Json): Promise<void> {
    const [period, kind, resource] = event.event_type.split('.')
    if (kind !== 'data' || !['daily', 'historical'].includes(period)) return
    for (const record of event.data.data) {
      if (['heartrate', 'hrv'].includes(resource)) this.storeSample(event, resource, record)
      else if (record.id) this.storeNight(record)
    }
  }

  storeNight(night: Json): void {
    const stored = this.nights.get(night.id)
    if (!stored || this.isNewer(night, stored)) this.nights.set(night.id, night)
  }

  isNewer(night: Json, stored: Json): boolean {
    return Date.parse(night.updated_at) >= Date.parse(stored.updated_at)
  }

  storeSample({ user_id, data }: Json, resource: string, sample: Json): void {
    const { provider = data.source.slug, type } = data.source
    const key = [user_id, resource, provider, type, sample.timestamp].join(' ')
    this.samples.set(key, { ...sample, user_id })
  }
}

export function reply(status: number): Response {
  return new Response(null, { status })
}
