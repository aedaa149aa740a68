import type { Endpoint } from '../contract/schema/endpoint.ts'
import { assertSuccess, NotApplicable } from './assertions.ts'
import {
  fetchResponse,
  type RequestFields,
  type ServiceTarget,
  sendRequest,
  withoutKey,
} from './http.ts'
import type { ReadResponse } from './response.ts'
import { type BookingScenario, type Need, needs, type Setup, type TeamSettings } from './setup.ts'
import { fieldOf } from './shape.ts'
import type { AddedLab, LabOffer } from './steps/catalogue.ts'
import type { HealthValues } from './steps/health-data.ts'

/** The service under test, with the functions that its setup offers. */
export class TestedService {
  readonly #connection: ServiceTarget
  readonly #setup: Setup

  constructor(connection: ServiceTarget, setup: Setup) {
    this.#connection = connection
    this.#setup = setup
  }

  /** Calls an endpoint of the specification. */
  call(
    { method, path }: Pick<Endpoint, 'method' | 'path'>,
    request: RequestFields = {},
  ): Promise<ReadResponse> {
    const { params = {} } = request
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
    return sendRequest(this.#connection, method, filled, request, `${method} ${path}`)
  }

  /** Sends a request to any path. */
  send(method: string, path: string): Promise<ReadResponse> {
    return sendRequest(this.#connection, method, path, {}, `${method} ${path}`)
  }

  /** Opens a URL from a response, without the API key. */
  open(url: string, operation: string): Promise<ReadResponse> {
    return fetchResponse(this.#connection, operation, url)
  }

  /** Returns the same service, called with other headers instead of the team's key. */
  withoutKey(headers: Record<string, string> = {}): TestedService {
    return new TestedService(withoutKey(this.#connection, headers), this.#setup)
  }

  /** Creates another team with these settings. */
  async team(like: TeamSettings): Promise<TestedService> {
    const { apiKey, setup } = await this.#offered('team')(like)
    return new TestedService({ ...this.#connection, apiKey }, setup)
  }

  /** @throws {NotApplicable} when the service accepts any key. */
  requireStrictKeys(): void {
    if (this.#setup.openKeys) throw new NotApplicable('the service accepts any API key')
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

  async bookingKey(ending: BookingScenario): Promise<string> {
    return this.#offered('bookingKey')(ending)
  }

  async advance(milliseconds: number): Promise<void> {
    await this.#offered('advance')(milliseconds)
  }

  async connect(userId: string, provider: string): Promise<void> {
    await this.#offered('connect')(userId, provider)
  }

  async lab(offer: LabOffer): Promise<AddedLab> {
    return this.#offered('lab')(offer)
  }

  async labAccount(labs: 'all' | 'none' | readonly number[]): Promise<string> {
    return this.#offered('labAccount')(labs)
  }

  async addRows(userId: string, resource: string, rows: readonly HealthValues[]): Promise<void> {
    await this.#offered('rows')(userId, resource, rows)
  }

  async trigger(type: string, userId: string): Promise<void> {
    await this.#offered('trigger')(type, userId)
  }

  /** Returns the id of the lab test with the most markers. The list of lab tests is assumed to have them in `data`. */
  async labTest(): Promise<string> {
    const response = assertSuccess(await this.send('GET', '/v3/lab_test'))
    const [first] = labTestsOf(response).toSorted((one, other) => other.markers - one.markers)
    if (!first || first.markers < 2) {
      throw new NotApplicable('the service lists no lab test with several markers')
    }
    return first.id
  }

  #offered<Name extends Need>(name: Name): NonNullable<Setup[Name]> {
    const offer = this.#setup[name]
    if (!offer) throw new NotApplicable(`the setup does not offer ${needs[name]}`)
    // A method of a class needs its instance.
    return offer.bind(this.#setup) as NonNullable<Setup[Name]>
  }
}

function labTestsOf({ json }: ReadResponse): { id: string; markers: number }[] {
  const tests = fieldOf(json, 'data')
  return (Array.isArray(tests) ? tests : []).map((test) => {
    const markers = fieldOf(test, 'markers')
    return { id: String(fieldOf(test, 'id')), markers: Array.isArray(markers) ? markers.length : 0 }
  })
}
