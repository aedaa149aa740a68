import type { Endpoint } from '../contract/schema/endpoint.ts'
import { NotApplicable, succeeded, Unmet } from './expect.ts'
import { type Need, needs, type Setup, type TeamLike } from './setup.ts'
import { fieldOf } from './shape.ts'

/** Where a service is, and as whom it is asked. */
export interface Connection {
  baseUrl: string
  apiKey: string
  fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>
  /** Milliseconds that a call may take. */
  timeout: number
}

/** What a call says. */
export interface Said {
  params?: Record<string, string>
  query?: Record<string, string | number>
  /** JSON; text is sent as it is. */
  body?: unknown
  headers?: Record<string, string>
}

/** An answer, read whole. */
export interface Answer {
  /** The method and the path as the specification spells it. */
  operation: string
  status: number
  headers: Headers
  bytes: Uint8Array<ArrayBuffer>
  /** The body as JSON; undefined when it is none. */
  json: unknown
}

/** The service that is asked, with what its setup offers. */
export class Service {
  readonly #connection: Connection
  readonly #setup: Setup

  constructor(connection: Connection, setup: Setup) {
    this.#connection = connection
    this.#setup = setup
  }

  /** Calls an endpoint of the specification. */
  call({ method, path }: Pick<Endpoint, 'method' | 'path'>, said: Said = {}): Promise<Answer> {
    const { params = {} } = said
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
    return this.send(method, filled, said, `${method} ${path}`)
  }

  /** Calls whatever path, which messages call `operation`. */
  async send(method: string, path: string, said: Said = {}, operation = `${method} ${path}`) {
    const { baseUrl, apiKey } = this.#connection
    const { query = {}, body, headers } = said
    const search = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))
    const url = `${baseUrl.replace(/\/+$/, '')}${path}${search.size > 0 ? `?${search}` : ''}`
    const hasBody = body !== undefined
    return this.#ask(operation, url, {
      method,
      headers: {
        'x-service-api-key': apiKey,
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(hasBody ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
    })
  }

  /** Opens a URL that an answer gave; it gets no key. */
  open(url: string, operation: string): Promise<Answer> {
    return this.#ask(operation, url, {})
  }

  /** The same service, asked with other headers instead of the team's key. */
  withoutKey(headers: Record<string, string> = {}): Service {
    const { fetch } = this.#connection
    const keyless: Connection['fetch'] = (input, init = {}) => {
      const sent = new Headers(init.headers)
      sent.delete('x-service-api-key')
      for (const [name, value] of Object.entries(headers)) sent.set(name, value)
      return fetch(input, { ...init, headers: sent })
    }
    return new Service({ ...this.#connection, fetch: keyless }, this.#setup)
  }

  /** Another team that is like this. */
  async team(like: TeamLike): Promise<Service> {
    const { apiKey, setup } = await this.#offered('team')(like)
    return new Service({ ...this.#connection, apiKey }, setup)
  }

  /** @throws {NotApplicable} when every key is that of a team. */
  needsWrongKeys(): void {
    if (this.#setup.openKeys) throw new NotApplicable('the service makes a team of any key')
  }

  async user(): Promise<string> {
    return this.#offered('user')()
  }

  async order(): Promise<string> {
    return this.#offered('order')()
  }

  async completedOrder(): Promise<unknown> {
    return this.#offered('completedOrder')()
  }

  async events(): Promise<readonly unknown[]> {
    return this.#offered('events')()
  }

  async bookingKey(outcome: 'confirm' | 'fail' | 'never', after?: number): Promise<string> {
    return this.#offered('bookingKey')(after === undefined ? { outcome } : { outcome, after })
  }

  async advance(milliseconds: number): Promise<void> {
    await this.#offered('advance')(milliseconds)
  }

  async connect(userId: string, provider: string): Promise<void> {
    await this.#offered('connect')(userId, provider)
  }

  async labAccount(labs: 'all' | 'none'): Promise<string> {
    return this.#offered('labAccount')(labs)
  }

  async trigger(type: string, userId: string): Promise<void> {
    await this.#offered('trigger')(type, userId)
  }

  /** The id of a lab test with several markers; the paginated list of lab tests is presumed to have them in `data`. */
  async labTest(): Promise<string> {
    const answer = succeeded(await this.send('GET', '/v3/lab_test'))
    const [first] = labTestsOf(answer).toSorted((one, other) => other.markers - one.markers)
    if (!first || first.markers < 2) {
      throw new NotApplicable('the service lists no lab test with several markers')
    }
    return first.id
  }

  async #ask(operation: string, url: string, init: RequestInit): Promise<Answer> {
    const { fetch, timeout } = this.#connection
    const signal = AbortSignal.timeout(timeout)
    try {
      // A redirect would take the key along.
      return await answerOf(operation, await fetch(url, { ...init, signal, redirect: 'manual' }))
    } catch (error) {
      // The error of a fetch may hold the URL.
      const name = error instanceof Error ? error.name : 'an error'
      throw new Unmet(`Expected ${operation} to answer, found ${name}.`)
    }
  }

  #offered<Name extends Need>(name: Name): NonNullable<Setup[Name]> {
    const offer = this.#setup[name]
    if (!offer) throw new NotApplicable(`the setup does not offer ${needs[name]}`)
    // A method of a setup may need its setup.
    return offer.bind(this.#setup) as NonNullable<Setup[Name]>
  }
}

async function answerOf(operation: string, response: Response): Promise<Answer> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { status, headers } = response
  return { operation, status, headers, bytes, json: parsed(bytes, headers) }
}

function parsed(bytes: Uint8Array, headers: Headers): unknown {
  if (!/\bjson\b/.test(headers.get('content-type') ?? '')) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

function labTestsOf({ json }: Answer): { id: string; markers: number }[] {
  const tests = fieldOf(json, 'data')
  return (Array.isArray(tests) ? tests : []).map((test) => {
    const markers = fieldOf(test, 'markers')
    return { id: String(fieldOf(test, 'id')), markers: Array.isArray(markers) ? markers.length : 0 }
  })
}
