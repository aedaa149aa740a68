import * as fc from 'fast-check'
import type { Team } from '../../mock/index.ts'
import { spanOf } from '../../mock/state/clock/time.ts'
import { call } from '../../test/support/call.ts'

const spans = ['0s', '1s', '20s', '5m', '2h'] as const
const keys = ['bk_confirm', 'bk_fail_after_3s', 'bk_confirm_after_30s', 'bk_never'] as const
const moves = ['advance', 'next', 'idle'] as const
const writes = ['trigger', 'order', 'cancel'] as const
const requests = ['book', 'delayed'] as const

/** An action of a program or a handler, for its own team or the other one. */
const action = fc.record({
  kind: fc.constantFrom(...moves, ...writes, ...requests, 'advance' as const),
  isOther: fc.boolean(),
  /** Whether the response of a request is awaited. */
  isAwaited: fc.boolean(),
  span: fc.constantFrom(...spans),
  booking_key: fc.constantFrom(...keys),
  async_confirmation: fc.boolean(),
  /** The promise ticks after which a request is aborted. */
  abortAfter: fc.option(fc.nat(60), { nil: undefined, freq: 3 }),
})

/** The actions of a handler in one call, and the status of its response. */
const handlerCall = fc.record({
  actions: fc.array(action, { maxLength: 2 }),
  status: fc.constantFrom(200, 200, 500),
})

const share = fc.constantFrom(0, 0, 0.5)
const webhook = fc.record({
  concurrency: fc.integer({ min: 1, max: 3 }),
  delay: fc.constantFrom(...spans),
  duplicates: share,
  reorder: fc.integer({ min: 1, max: 3 }),
  wrongSignatures: share,
  lostResponses: share,
  /** The first calls of the webhook's handler. Later calls do nothing. */
  calls: fc.array(handlerCall, { maxLength: 4 }),
})

/** The programs of two teams. If the teams are separate, no program uses the other team. */
export const programs = fc
  .record({
    areSeparate: fc.boolean(),
    clocks: fc.array(fc.constantFrom('auto' as const, 'manual' as const), {
      minLength: 2,
      maxLength: 2,
    }),
    /** The actions of a step start together. */
    steps: fc.array(fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), { maxLength: 5 }), {
      minLength: 2,
      maxLength: 2,
    }),
    webhooks: fc.array(fc.array(webhook, { maxLength: 2 }), { minLength: 2, maxLength: 2 }),
  })
  .map(({ clocks, steps, webhooks, areSeparate }) => ({
    areSeparate,
    programs: clocks.map((clock, index) => ({
      clock,
      /** Whether a wait for the other team can end. With a manual clock, it may not. */
      waitsForOther: clocks.every((mode) => mode === 'auto'),
      steps: steps[index] ?? [],
      webhooks: webhooks[index] ?? [],
    })),
  }))

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never
type Programs = typeof programs extends fc.Arbitrary<infer T> ? T : never

export type Program = Programs['programs'][number]

/** Makes all actions apply to the program's own team. */
export function separate(programs: readonly Program[]): Program[] {
  return JSON.parse(JSON.stringify(programs), (name, value) => (name === 'isOther' ? false : value))
}

export class ProgramRun {
  readonly #program: Program
  readonly #team: Team
  readonly #other: Team
  /** The results of its requests and moves, in the order in which they started. */
  readonly log: unknown[] = []
  /** The promises that the program does not await. */
  readonly pending: Promise<void>[] = []
  /** How far the program advanced each team's clock, in milliseconds. */
  readonly advanced = new Map<Team, number>()
  /** The teams whose clock the program moved by an unknown span: to the next due event, or until the move was rejected. */
  readonly jumped = new Set<Team>()

  constructor(program: Program, team: Team, other: Team) {
    this.#program = program
    this.#team = team
    this.#other = other
    team.faults.add({ on: 'link.listProviders', then: { latency: '10s' } })
    for (const { calls, ...modes } of program.webhooks) {
      const left = [...calls]
      const handler = async () => {
        const { actions, status } = left.shift() ?? { actions: [], status: 200 }
        for (const one of actions) await this.#act(one, true)
        return new Response(null, { status })
      }
      team.webhooks.add({ ...modes, handler })
    }
  }

  async run(): Promise<void> {
    for (const step of this.#program.steps) {
      await Promise.all(step.map((one) => this.#act(one, false)))
    }
  }

  async #act(one: Action, isHandler: boolean): Promise<void> {
    const team = one.isOther ? this.#other : this.#team
    const index = this.log.push('running') - 1
    const result = this.#start(one, team).catch(({ code, name }) => code ?? name)
    const done = result.then((value) => void this.log.splice(index, 1, value))
    if (this.#isAwaited(one, isHandler)) await done
    else this.pending.push(done)
  }

  /** Returns whether later actions wait for an action. Such an action must not wait for later actions. */
  #isAwaited({ kind, isOther, isAwaited }: Action, isHandler: boolean): boolean {
    const { clock, waitsForOther } = this.#program
    if (kind === 'idle') return waitsForOther
    if (kind !== 'book' && kind !== 'delayed') return true
    const canEnd = waitsForOther || (!isOther && (isHandler || clock === 'auto'))
    return isAwaited && canEnd
  }

  async #start(one: Action, team: Team): Promise<unknown> {
    if (one.kind === 'trigger') return team.trigger('unknown.event', {}, { unknown: true }).number
    if (one.kind === 'order') return team.orders.create().id
    if (one.kind === 'cancel') {
      const order = team.orders.list().at(-1)
      return order && team.orders.update(order.id, { status: 'cancelled' }).id
    }
    if (one.kind === 'idle') return team.webhooks.idle()
    if (one.kind === 'next') {
      this.jumped.add(team)
      return (await team.clock.runToNext())?.type
    }
    if (one.kind !== 'advance') return this.#send(one, team)
    await team.clock.advance(one.span).catch((error: unknown) => {
      this.jumped.add(team)
      throw error
    })
    this.advanced.set(team, (this.advanced.get(team) ?? 0) + spanOf(one.span))
  }

  async #send({ kind, abortAfter, ...booking }: Action, team: Team): Promise<unknown> {
    const caller = new AbortController()
    const { fetch, ...connection } = team.connection()
    const sender = {
      connection: () => ({
        ...connection,
        fetch: (url: Request | string | URL, init?: RequestInit) =>
          fetch(url, { ...init, signal: caller.signal }),
      }),
    }
    const { booking_key, async_confirmation } = booking
    const order = kind === 'book' ? team.orders.create().id : ''
    const route = `POST /v3/order/${order}/phlebotomy/appointment/book`
    const sent =
      kind === 'book'
        ? call(sender, route, { booking_key, async_confirmation })
        : call(sender, 'GET /v2/providers')
    for (let tick = 0; tick < (abortAfter ?? 0); tick += 1) await undefined
    if (abortAfter !== undefined) caller.abort()
    return (await sent).status
  }
}
