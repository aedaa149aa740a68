import { expect, it } from 'vitest'
import { createMock, type Team } from '../../../mock/index.ts'
import { insuranceBody, recipe, userInfoBody } from '../../support/bodies.ts'
import { type Called, call } from '../../support/call.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'

/**
 * Compares the mock with a small model of part 3 of the specification, which does not use the mock's code. After every
 * step of a random sequence both must agree.
 */

const users = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
const providers = ['oura', 'fitbit']
const second = 1000
const synchronousTimeout = 60 * second

type Status = 'pending' | 'reserved' | 'confirmed' | 'in_progress' | 'completed' | 'cancelled'

/** Part 3.1 with the transitions of the gaps. */
const legal: Record<Status, Status[]> = {
  pending: ['reserved', 'confirmed', 'cancelled'],
  reserved: ['confirmed', 'cancelled'],
  confirmed: ['confirmed', 'in_progress', 'cancelled'],
  in_progress: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
}

interface ModelBooking {
  order: number
  /** The moments of its events. */
  respondsAt: number
  result: 'confirmed' | 'pending' | 'failed'
  /** Whether the response was pending. */
  endsAt?: number
  end?: 'confirmed' | 'cancelled'
  /** Undefined without an appointment. */
  status?: Status
  isOver: boolean
}

interface ModelImport {
  provider: string
  users: string[]
  begins: number
  processed: number
  failed: number
}

/** The state that the specification requires. */
class Model {
  now = 0
  known = new Set<string>()
  insurances = 0
  connections = new Set<string>()
  imports: ModelImport[] = []
  bookings: ModelBooking[] = []
  orders = 0

  /** Moves time from event to event. */
  advance(span: number): void {
    const end = this.now + span
    for (;;) {
      const next = Math.min(...this.moments().filter((moment) => moment > this.now))
      if (next > end) break
      this.now = next
      this.happen()
    }
    this.now = end
  }

  moments(): number[] {
    return [
      ...this.bookings
        .filter(({ isOver }) => !isOver)
        .flatMap(({ respondsAt, endsAt }) => [respondsAt, endsAt ?? Number.POSITIVE_INFINITY]),
      ...this.imports.map(({ begins, processed, users: { length } }) =>
        processed < length ? begins + (processed + 1) * second : Number.POSITIVE_INFINITY,
      ),
    ]
  }

  happen(): void {
    for (const booking of this.bookings) this.progress(booking)
    for (const one of this.imports) {
      const user = one.users[one.processed]
      if (user === undefined || this.now < one.begins + (one.processed + 1) * second) continue
      one.processed += 1
      if (this.known.has(user)) this.connections.add(`${user}/${one.provider}`)
      else one.failed += 1
    }
  }

  progress(booking: ModelBooking): void {
    if (booking.isOver) return
    if (!booking.status && this.now >= booking.respondsAt) {
      if (booking.result !== 'failed') booking.status = booking.result
      booking.isOver = booking.result !== 'pending'
    }
    if (booking.status === 'pending' && this.now >= (booking.endsAt ?? Number.POSITIVE_INFINITY)) {
      booking.status = booking.end ?? 'cancelled'
      booking.isOver = true
    }
  }

  isBooked(order: number): boolean {
    const ofOrder = this.bookings.filter((booking) => booking.order === order)
    const underWay = ofOrder.some(({ isOver }) => !isOver)
    const latest = ofOrder.findLast(({ status }) => status !== undefined)?.status
    return underWay || (latest !== undefined && latest !== 'cancelled')
  }

  appointments(): Status[] {
    return this.bookings.flatMap(({ status }) => status ?? [])
  }
}

/** The mock, and its responses to calls that waited. */
interface Real {
  team: Team
  orders: string[]
  /** One for each booking of the model. */
  calls: { response: Promise<Called>; isSettled: boolean }[]
}

type Command = fc.AsyncCommand<Model, Real>

/** A step, after which the mock is compared with the model. */
function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      await run(model, real)
      await agree(model, real)
    },
    toString: () => name,
  }
}

async function agree(model: Model, { team, calls }: Real): Promise<void> {
  expect(team.clock.now().getTime() - start).toBe(model.now)
  expect(new Set(team.users.list().map(({ user_id }) => user_id))).toEqual(model.known)
  expect(team.insurances.list()).toHaveLength(model.insurances)
  const connections = team.connections
    .list()
    .map(({ user_id, provider }) => `${user_id}/${provider}`)
  expect(new Set(connections)).toEqual(model.connections)
  expect(team.bulkOps.list().map(progress)).toEqual(
    model.imports.map(({ users: { length }, begins, processed, failed }) => ({
      processed,
      failed,
      status: model.now < begins + length * second ? 'in_progress' : 'success',
    })),
  )
  expect(
    team.appointments
      .list()
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual(model.appointments().toSorted())
  for (const [at, booking] of model.bookings.entries()) {
    const made = calls[at] as Real['calls'][number]
    if (model.now < booking.respondsAt) expect(made.isSettled).toBe(false)
    else expect((await made.response).status).toBe(booking.result === 'failed' ? 500 : 200)
  }
}

function progress({
  processed,
  status,
  user_ids_failed,
}: ReturnType<Team['bulkOps']['list']>[number]) {
  return { processed, failed: user_ids_failed.length, status }
}

const start = Date.parse('2025-06-01T09:00:00Z')
const user = fc.constantFrom(...users)
const provider = fc.constantFrom(...providers)

const updateInfo = user.map((id) =>
  command(`updateInfo(${id.at(-1)})`, async (model, { team }) => {
    model.known.add(id)
    expect((await call(team, `PATCH /v2/user/${id}/info`, userInfoBody())).status).toBe(200)
  }),
)

const createInsurance = user.map((id) =>
  command(`createInsurance(${id.at(-1)})`, async (model, { team }) => {
    model.known.add(id)
    model.insurances += 1
    expect((await call(team, `POST /v2/user/${id}/insurance`, insuranceBody())).status).toBe(200)
  }),
)

const deleteConnection = fc.tuple(user, provider).map(([id, slug]) =>
  command(`deleteConnection(${id.at(-1)}, ${slug})`, async (model, { team }) => {
    model.known.add(id)
    const expected = model.connections.delete(`${id}/${slug}`) ? 200 : 404
    expect((await call(team, `DELETE /v2/user/${id}/${slug}`)).status).toBe(expected)
  }),
)

const bulkImport = fc.tuple(provider, fc.array(user, { maxLength: 5 })).map(([slug, ids]) =>
  command(`bulkImport(${slug}, ${ids.map((id) => id.at(-1))})`, async (model, { team }) => {
    const last = model.imports.at(-1)
    const free = last ? last.begins + last.users.length * second : 0
    model.imports.push({
      provider: slug,
      users: ids,
      begins: Math.max(model.now, free),
      processed: 0,
      failed: 0,
    })
    const body = { provider: slug, connections: ids.map((id) => recipe(id)) }
    expect((await call(team, 'POST /v2/link/bulk_import', body)).status).toBe(202)
  }),
)

const outcome = fc.constantFrom<['confirm' | 'fail' | 'never', number][]>(
  ['confirm', 0],
  ['confirm', 1500],
  ['confirm', 3700],
  ['confirm', 45_300],
  ['confirm', 75_100],
  ['confirm', 3_600_900],
  ['fail', 0],
  ['fail', 2700],
  ['never', 0],
)
const patience = fc.constantFrom(1000, 2500, 10_000)
const limit = fc.constantFrom(60_000, 900_000, 172_800_000)

const book = fc
  .record({ order: fc.nat(2), outcome, isAsync: fc.boolean(), patience, limit })
  .map(({ order, outcome: [kind, after], isAsync, patience: sync, limit: async }) =>
    command(
      `book(${order}, ${kind} after ${after}, ${isAsync ? `async ${sync} ${async}` : 'sync'})`,
      async (model, real) => {
        const { team, orders, calls } = real
        while (orders.length <= order)
          orders.push(team.orders.create({ user_id: users[0] ?? '' }).id)
        const suffix = kind === 'never' ? '' : `_after_${after}ms`
        const body = {
          booking_key: `bk_${kind}${suffix}`,
          async_confirmation: isAsync,
          sync_confirmation_timeout_millisecond: sync,
          async_confirmation_timeout_millisecond: async,
        }
        const path = `POST /v3/order/${orders[order]}/phlebotomy/appointment/book`
        if (model.isBooked(order)) {
          expect((await call(team, path, body)).status).toBe(400)
          return
        }
        const booking = planned(
          order,
          kind,
          after,
          isAsync ? { sync, async } : undefined,
          model.now,
        )
        model.bookings.push(booking)
        model.progress(booking)
        const made = { response: call(team, path, body), isSettled: false }
        made.response.then(() => {
          made.isSettled = true
        })
        calls.push(made)
        if (booking.isOver) await made.response
        else
          await team.clock.whenWaiting(
            model.bookings.filter((b) => model.now < b.respondsAt).length,
          )
      },
    ),
  )

/** Returns the outcome of a booking according to part 3.1. */
function planned(
  order: number,
  kind: 'confirm' | 'fail' | 'never',
  after: number,
  timeouts: { sync: number; async: number } | undefined,
  now: number,
): ModelBooking {
  if (!timeouts) {
    const comes = kind !== 'never' && after < synchronousTimeout
    return {
      order,
      respondsAt: now + (comes ? after : synchronousTimeout),
      result: comes && kind === 'confirm' ? 'confirmed' : 'failed',
      isOver: false,
    }
  }
  const { sync, async } = timeouts
  if (kind === 'confirm' && after < sync) {
    return { order, respondsAt: now + after, result: 'confirmed', isOver: false }
  }
  const isLate = kind !== 'confirm' || after >= async
  return {
    order,
    respondsAt: now + sync,
    result: 'pending',
    endsAt: now + (isLate ? async : after),
    end: isLate ? 'cancelled' : 'confirmed',
    isOver: false,
  }
}

const transition = fc
  .record({ at: fc.nat(5), to: fc.constantFrom(...(Object.keys(legal) as Status[])) })
  .map(({ at, to }) =>
    command(`transition(${at}, ${to})`, async (model, { team, orders }) => {
      const made = model.bookings.filter(({ status }) => status)
      const booking = made[at]
      if (!booking?.status) return
      const ofOrder = team.appointments.list({ order_id: orders[booking.order] ?? '' })
      const position = made.filter(({ order }) => order === booking.order).indexOf(booking)
      const id = ofOrder[position]?.id ?? ''
      const move = () => team.appointments.transition(id, to)
      if (!legal[booking.status].includes(to)) {
        expect(move).toThrow(expect.objectContaining({ code: 'illegal_transition' }))
        return
      }
      expect(move().status).toBe(to)
      booking.status = to
      booking.isOver = true
    }),
  )

const advance = fc
  .oneof(
    fc.integer({ min: 0, max: 5000 }),
    fc.integer({ min: 0, max: 120_000 }),
    fc.constantFrom(900_000, 3_600_000, 172_800_000),
  )
  .map((span) =>
    command(`advance(${span})`, async (model, { team }) => {
      model.advance(span)
      await team.clock.advance(span)
    }),
  )

it('agrees with a model of part 3 after every step of random sequences', async () => {
  const commands = fc.commands(
    [updateInfo, createInsurance, deleteConnection, bulkImport, book, transition, advance, advance],
    { maxCommands: 20 },
  )
  await fc.assert(
    fc.asyncProperty(commands, async (story) => {
      const team = createMock({ seed: 3 }).team({ clock: 'manual', importTimePerConnection: '1s' })
      try {
        await fc.asyncModelRun(
          () => ({ model: new Model(), real: { team, orders: [], calls: [] } }),
          story,
        )
      } catch (error) {
        // Shows the end of the sequence if the test fails.
        if (error instanceof Error) error.message += `\n${team.reproduction()}`
        throw error
      }
    }),
    { numRuns: runsOf(2000), endOnFailure: false },
  )
})
