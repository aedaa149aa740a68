import { endpoints } from '../../../src/contract/endpoints.ts'
import type {
  DueDelivery,
  SendAttempt,
  SendHooks,
  SendResult,
} from '../../events/delivery/deliveries.ts'
import type { ExchangeResult } from '../../faults/effects.ts'
import { type IncomingRequest, pathBelow } from '../../http/request/request.ts'
import { Router } from '../../http/router.ts'
import { settle } from '../../shared/settle.ts'
import type { DueEvent } from '../../state/clock/due-queue.ts'
import type { Team } from '../../team.ts'
import { deliveryFaults, isAcknowledged } from '../plan/delivery-faults.ts'
import type { EnvironmentChoice } from '../plan/environment.ts'
import { clockFaults } from '../plan/fault-names.ts'
import { type FaultPoint, faultAt, type Plan, type PlannedFault } from '../plan/plan.ts'
import { requestFaults } from '../plan/request-faults.ts'
import type { FaultyRequest, Handling } from '../plan/slow-work.ts'
import { programLine } from './lines.ts'
import { currentTask, never, Program, runOutside } from './program.ts'
import { type Step, Steps, subjectsOf } from './steps.ts'

const router = new Router(endpoints.map((endpoint) => ({ endpoint })))

export interface GateContext {
  readonly team: Team
  readonly plan: Plan
  readonly environment: EnvironmentChoice | undefined
  /** The maximum number of requests and waits. A program that exceeds it is considered stuck in a loop. */
  readonly actionLimit: number
}

type HandleRequest = (request: IncomingRequest) => Promise<ExchangeResult>

/** Intercepts requests, deliveries and scheduled events, and applies the plan's faults to them. */
export class Gate {
  readonly #context: GateContext
  readonly #deliveries = new Map<string, FaultPoint>()
  #steps: Steps
  readonly #handleInEnvironment: (call: FaultyRequest) => Promise<ExchangeResult>
  #actions = 0
  #isOpen = false
  #held: (() => Promise<SendResult>) | undefined
  #exceed = (_: 'endless' | 'ended') => {}
  readonly rejections: unknown[] = []
  /** The program lines that added the receivers, by webhook id. */
  readonly receiverLines = new Map<string, string>()
  onCrash = () => {}
  program = new Program(this.rejections)
  lastAction: Error | undefined
  /**
   * Resolves when the program exceeds the limit. The value is `ended` if only background work is left, and `endless` if
   * the main function or a handler is running.
   */
  readonly exceeded = new Promise<'endless' | 'ended'>((resolve) => {
    this.#exceed = resolve
  })

  constructor(context: GateContext) {
    this.#context = context
    this.#steps = newSteps(context.team)
    this.#handleInEnvironment = context.environment?.handler?.() ?? (({ handle }) => handle())
  }

  get steps(): readonly Step[] {
    return this.#steps.list()
  }

  get isUnplanned(): boolean {
    return this.#context.plan.length === 0
  }

  get actions(): number {
    return this.#actions
  }

  open(): void {
    const { team } = this.#context
    this.#steps = newSteps(team)
    this.#isOpen = true
    this.#addEnvironment('run')
    team.intercept(
      (delivery, send) => this.#deliver(delivery, send),
      (tied) => this.#choose(tied),
    )
  }

  restart(): Program {
    this.program = new Program(this.rejections)
    this.#addEnvironment('restart')
    this.#steps.add({ kind: 'restart', name: 'restart', nth: 1 })
    return this.program
  }

  #addEnvironment(name: 'run' | 'restart'): void {
    const fault = faultAt(this.#context.plan, { kind: 'environment', name, nth: 1 })
    if (fault) this.#steps.add({ kind: 'environment', name, nth: 1, fault })
  }

  /** Ends the run. Later requests from the program have no effect. Other requests are handled as usual. */
  close(): void {
    this.#isOpen = false
    this.program.crash()
  }

  /** Returns the running task's program. Outside tasks, returns the run's program, or undefined if no run is open. */
  currentProgram(): Program | undefined {
    return currentTask()?.program ?? (this.#isOpen ? this.program : undefined)
  }

  /** Passes a request to the service, unless its program has crashed or a fault prevents it. */
  async pass(
    request: IncomingRequest,
    baseUrl: string,
    handle: HandleRequest,
  ): Promise<ExchangeResult> {
    const task = currentTask()
    const program = this.currentProgram()
    if (!program) return handle(request)
    if (!program.isAlive) return program.halt()
    const { method, path, headers } = request
    const match = router.match(method, pathBelow(baseUrl, path), headers.accept ?? '')
    if (!match) return handle(request)
    if (this.countAction(program)) return never()
    const point = this.#steps.count('request', match.route.endpoint.id)
    const isLate = task?.isMain === true && program.hasEnded
    const step = this.#add(point, { isLate, line: () => programLine(task?.stack?.()) })
    return program.guard(() => this.#apply(step, program, request, handle))
  }

  /** Counts a program's request or wait. Returns whether the count exceeds the limit. */
  countAction(program: Program): boolean {
    this.#actions += 1
    if (this.#actions <= this.#context.actionLimit) return false
    this.lastAction ??= new Error(`Request or wait number ${this.#actions} of the run`)
    this.#exceed(program.isInBackground ? 'ended' : 'endless')
    return true
  }

  async #deliver(
    { number, id, webhook, event_type, attempt, body }: DueDelivery,
    send: SendAttempt,
  ): Promise<SendResult> {
    const { team } = this.#context
    const { program } = this
    if (!this.#isOpen) return send()
    const point = this.#deliveryPoint(`${webhook} ${number}`, event_type)
    const subjects = subjectsOf(body)
    const step = this.#add(point, {
      event: id,
      attempt,
      subjects,
      line: () => this.receiverLines.get(webhook),
    })
    const fault = deliveryFaults.find(({ name }) => name === step.fault?.fault)
    const delivery = {
      ...{ team, attempt, body },
      send: (changed = body, hooks: SendHooks = {}) =>
        this.#sendTo(program, () => {
          const isReady = async () => {
            await hooks.isReady?.()
            // A crash after a request must happen before that request's events are handled.
            await settle(() => !program.isAlive)
            if (!program.isAlive) await program.halt()
          }
          return send(changed, { ...hooks, isReady })
        }),
      sendWithNext: () => {
        this.#held = () => delivery.send()
      },
      crash: () => this.#crash(program),
    }
    const held = this.#held
    this.#held = undefined
    // A crash cannot stop the other event's handler while that handler awaits neither the service nor its clock. The
    // context restored after the crash would lack the handler's effects, but private fields, such as message claims,
    // would still record them. The handler must therefore end first.
    const isCrash = step.fault?.fault.startsWith('crash') === true
    if (isCrash) await held?.()
    const sending = fault ? fault.apply(delivery) : delivery.send()
    const [result] = await Promise.all([sending, isCrash ? undefined : held?.()])
    step.isAcknowledged = isAcknowledged(result)
    step.result = result.status === undefined ? (result.error ?? 'no_response') : `${result.status}`
    return result
  }

  #choose(tied: readonly DueEvent[]): number {
    const point = this.#steps.count('clock', 'due')
    const planned = faultAt(this.#context.plan, point)
    const index = clockFaults.find(({ name }) => name === planned?.fault)?.index ?? 0
    const chosen = index < tied.length ? index : 0
    this.#steps.add({
      ...point,
      ...(planned ? { fault: planned } : {}),
      result: `${tied[chosen]?.type} runs first; ${tied.length} events are scheduled for the same time`,
    })
    return chosen
  }

  /** Returns the point of a delivery. All attempts to deliver an event to a webhook share one point. */
  #deliveryPoint(message: string, type: string): FaultPoint {
    const point = this.#deliveries.get(message) ?? this.#steps.count('delivery', type)
    this.#deliveries.set(message, point)
    return point
  }

  async #apply(
    step: Step,
    program: Program,
    request: IncomingRequest,
    handle: HandleRequest,
  ): Promise<ExchangeResult> {
    const { team } = this.#context
    const { signal } = request
    const fault = requestFaults.find(({ name }) => name === step.fault?.fault)
    const call: FaultyRequest = {
      team,
      operation: step.name,
      path: request.path,
      search: request.search,
      text: () => request.text(),
      handle: ({ text, search = request.search, ...handling }: Handling = {}) =>
        runOutside(() =>
          handle({
            ...request,
            search,
            ...(text === undefined ? {} : { text: () => text }),
            intervention: {
              ...handling,
              onEntry: (entry) => {
                step.entry = entry
              },
            },
          }),
        ),
      wait: (milliseconds: number) => team.connection().clock.sleep(milliseconds, signal),
      crash: () => {
        this.#crash(program)
        return program.halt()
      },
    }
    try {
      const { handle: direct } = call
      const around = {
        ...call,
        handle: (handling?: Handling) => this.#inEnvironment(call, direct, handling),
      }
      const result = await (fault ? fault.apply(around) : around.handle())
      step.result = result.kind === 'response' ? `${result.status}` : result.kind
      return result
    } finally {
      if (signal?.aborted) step.result = 'aborted'
    }
  }

  /** Lets the run's environment handle a request that a fault may have changed. */
  #inEnvironment(
    call: FaultyRequest,
    handle: FaultyRequest['handle'],
    changed: Handling = {},
  ): Promise<ExchangeResult> {
    return this.#handleInEnvironment({
      ...call,
      search: changed.search ?? call.search,
      text: () => ('text' in changed ? changed.text : call.text()),
      handle: (handling) => handle({ ...changed, ...handling }),
    })
  }

  async #sendTo(program: Program, send: () => Promise<SendResult>): Promise<SendResult> {
    if (!program.isAlive) return { error: 'no_response' }
    const lost = program.crashed.then((): SendResult => ({ error: 'no_response' }))
    return Promise.race([program.handle(send), lost])
  }

  #crash(program: Program): void {
    if (!program.isAlive) return
    this.#steps.add({ kind: 'crash', name: 'crash', nth: 1 })
    program.crash()
    this.onCrash()
  }

  #add(point: FaultPoint, facts: Partial<Step>): Step {
    const fault = this.#faultOf(point)
    return this.#steps.add({ ...point, ...facts, ...(fault ? { fault } : {}) })
  }

  /** Returns the fault at a point. Some faults affect several consecutive requests. */
  #faultOf(point: FaultPoint): PlannedFault | undefined {
    const { plan } = this.#context
    const exact = faultAt(plan, point)
    if (exact || point.kind !== 'request') return exact
    return plan.find(({ kind, name, nth, fault }) => {
      const { length = 1 } = requestFaults.find((known) => known.name === fault) ?? {}
      const isSame = kind === 'request' && name === point.name
      return isSame && nth < point.nth && point.nth < nth + length
    })
  }
}

function newSteps({ clock }: Team): Steps {
  return new Steps(() => clock.now().getTime())
}
