import { expect, it } from 'vitest'
import { createMock, type Team, type TeamConnection } from '../../../mock/index.ts'
import { Random } from '../../../mock/reference-data/random.ts'
import { idempotencyKeyOf, ServiceClient } from '../../../src/index.ts'
import { orderBody } from '../../support/bodies.ts'
import { runsOf } from '../../support/long-tests.ts'

/** Where a process dies: before or after it stores the key, or during one of its requests. */
const points = [
  'before the key is stored',
  'after the key is stored',
  'before the request arrives',
  'while the service handles the request',
  'after the response was sent',
  'in the middle of the response',
  'after the response was read',
] as const
type Point = (typeof points)[number]

/** What outlives a process: the keys it stored, and the orders it recorded. */
interface Disk {
  keys: Set<string>
  recorded: Map<string, string>
}

/** A process that never continues after its crash. */
class CrashingProcess {
  readonly #point: Point | undefined
  readonly #request: number
  #die = () => {}
  readonly #death = new Promise<void>((resolve) => {
    this.#die = resolve
  })
  #requests = 0

  /** @param request The number of the request during which it dies. */
  constructor(point: Point | undefined, request: number) {
    this.#point = point
    this.#request = request
  }

  /** Creates an order, unless it fails or crashes. */
  async run(own: string, team: Team, disk: Disk): Promise<void> {
    const work = this.#work(own, team, disk).catch(() => {})
    await Promise.race([work, this.#death])
  }

  async #work(own: string, team: Team, disk: Disk): Promise<void> {
    await this.#passPoint('before the key is stored')
    disk.keys.add(own)
    await this.#passPoint('after the key is stored')
    const connection = team.connection()
    const client = new ServiceClient({ ...connection, fetch: this.#fetch(connection.fetch) })
    const [test] = team.catalogue.labTests.list()
    const body = orderBody(test?.id ?? '')
    body.patient_address.access_notes = own
    const { order } = await client.orders.create(body, { idempotencyKey: idempotencyKeyOf(own) })
    await this.#passPoint('after the response was read')
    disk.recorded.set(own, order.id)
  }

  #fetch(send: TeamConnection['fetch']): TeamConnection['fetch'] {
    return async (input, init) => {
      this.#requests += 1
      const passPoint = (point: Point) =>
        this.#requests === this.#request ? this.#passPoint(point) : undefined
      await passPoint('before the request arrives')
      const sent = send(input, init)
      sent.catch(() => {})
      await passPoint('while the service handles the request')
      const response = await sent
      await passPoint('after the response was sent')
      if (this.#point !== 'in the middle of the response') return response
      // A body that never ends.
      this.#die()
      return new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(9)) }))
    }
  }

  /** Never continues at the point of the crash. */
  async #passPoint(point: Point): Promise<void> {
    if (point !== this.#point) return
    this.#die()
    await new Promise(() => {})
  }
}

const faults = [
  'lose_response',
  'cut_mid_body',
  { status: 500 },
  { status: 503 },
  { latency: '3s' },
] as const

it('creates each order once, wherever processes crash', async () => {
  const random = new Random('crashes')
  const team = createMock().team({ journalLimit: 1 })
  for (const then of faults) {
    team.faults.add({ on: 'orders.create', when: { probability: 0.15 }, then })
  }
  const disk: Disk = { keys: new Set(), recorded: new Map() }
  for (let crashes = 0, order = 1; crashes < runsOf(1000); order += 1) {
    const own = `order ${order}`
    for (let times = random.integer(1, 3); times > 0; times -= 1, crashes += 1) {
      await new CrashingProcess(random.pick(points), random.integer(1, 2)).run(own, team, disk)
    }
    while (!disk.recorded.has(own)) {
      await new CrashingProcess(undefined, 0).run(own, team, disk)
    }
  }
  const created = team.orders.list().map(({ id, patient_address }) => {
    return [patient_address.access_notes, id]
  })
  expect(created.toSorted()).toEqual([...disk.recorded].toSorted())
  expect(disk.recorded.size).toBe(disk.keys.size)
})
