import { MockError } from '../errors.ts'
import { undeliveredLimit } from '../state/defaults.ts'
import { shown } from '../state/plain.ts'
import type { HealthRow } from '../state/records/health.ts'
import type { World } from '../state/world.ts'
import {
  type Chunk,
  chunksOf,
  connectionEvent,
  dataEvent,
  dataType,
  type EventBody,
  type EventView,
} from './bodies.ts'

/** An event that the team was sent. */
export interface EmittedEvent {
  /** 1 for the team's first event. */
  readonly number: number
  /** The same in every delivery of the event: its `webhook-id`. */
  readonly id: string
  readonly event_type: string
  /** Undefined for an event that was triggered without one. */
  readonly user_id: string | undefined
  /** Team time. */
  readonly at: Date
  /** What is delivered; made anew at each reading, and always the same. */
  readonly body: EventBody
}

/** What is emitted at once, in plain values, so that a snapshot can keep it; the bodies are made when they are read. */
export type Emission =
  | { kind: 'event'; body: EventBody }
  /** Rows of health data were added or changed. */
  | { kind: 'rows'; event_type: string; chunk: Chunk }
  /** Users were connected to a provider: for each of them the same steps. */
  | {
      kind: 'connections'
      provider: string
      user_ids: readonly string[]
      /** The resources with data from the seed. */
      resources: readonly string[]
      /** The user's own rows by resource, when it has some. */
      rows: Readonly<Record<string, readonly HealthRow[]>>
    }

/** Events that were emitted together, as a stretch of numbers. */
interface Stretch {
  first: number
  count: number
  /** Milliseconds since 1970. */
  at: number
  deprecatedFields: EventView['settings']['deprecatedFields']
  emission: Emission
}

/** What a snapshot keeps of an outbox. */
export interface OutboxSnapshot {
  count: number
  cleared: number
  stretches: Stretch[]
}

/**
 * The events of a team, in the order of their emission. Of a large import only a stretch is kept, and each event is
 * made from it when it is read, so that a million of them cost next to nothing.
 */
export class Outbox {
  readonly #world: World
  readonly #delivery: { emitted(): void; needed(): number }
  #stretches: Stretch[] = []
  #count = 0
  /** Events up to this number were cleared. */
  #cleared = 0

  /**
   * @param delivery Hears of every emission; `needed` gives the smallest number that is still to be delivered.
   */
  constructor(world: World, delivery: { emitted(): void; needed(): number }) {
    this.#world = world
    this.#delivery = delivery
  }

  /** How many events were emitted, dropped ones included. */
  get count(): number {
    return this.#count
  }

  /**
   * The events that are kept, the oldest first: all of them, or those of a type; `*` stands for any part of it, as in
   * `daily.data.*.created`.
   */
  list(type = '*'): EmittedEvent[] {
    const matches = typeMatcher(type)
    const first = Math.max(this.#cleared, this.#count - this.#world.settings.outboxLimit) + 1
    return this.#stretches.flatMap((stretch) =>
      Array.from({ length: stretch.count }, (_, index) => index)
        .filter((index) => stretch.first + index >= first && matches(typeAt(stretch, index)))
        .map((index) => this.#event(stretch, index)),
    )
  }

  /** The latest event: of all types or of one. */
  last(type = '*'): EmittedEvent | undefined {
    return this.list(type).at(-1)
  }

  /** Forgets every event; numbers go on. */
  clear(): void {
    this.#cleared = this.#count
    this.#prune()
  }

  /**
   * Adds events.
   *
   * @internal
   */
  emit(emission: Emission, at: number = this.#world.clock.moment): void {
    const { journal, settings, cause } = this.#world
    const count = countOf(emission)
    if (count === 0) return
    const { deprecatedFields } = settings
    const stretch = { first: this.#count + 1, count, at, deprecatedFields, emission }
    this.#stretches.push(stretch)
    this.#count += count
    journal.noteEvents(count, (index) => this.#event(stretch, index), cause)
    this.#prune()
    this.#delivery.emitted()
  }

  /**
   * An event by its number; undefined when it is not kept.
   *
   * @internal
   */
  at(number: number): EmittedEvent | undefined {
    const stretch = this.#stretchOf(number)
    return stretch && this.#event(stretch, number - stretch.first)
  }

  /**
   * The type of an event, and when it was emitted; undefined when it is not kept.
   *
   * @internal
   */
  glance(number: number): { event_type: string; at: number } | undefined {
    const stretch = this.#stretchOf(number)
    return stretch && { event_type: typeAt(stretch, number - stretch.first), at: stretch.at }
  }

  /** What a snapshot keeps. */
  snapshot(): OutboxSnapshot {
    return { count: this.#count, cleared: this.#cleared, stretches: this.#stretches }
  }

  /** Brings back what a snapshot keeps; without one, an empty outbox. */
  restore({ count, cleared, stretches }: OutboxSnapshot = emptyOutbox): void {
    this.#count = count
    this.#cleared = cleared
    this.#stretches = [...stretches]
  }

  #event(stretch: Stretch, index: number): EmittedEvent {
    const number = stretch.first + index
    const world = this.#world
    return {
      number,
      id: `msg_${world.random.fork(`event/${number}`).uuid().replaceAll('-', '')}`,
      event_type: typeAt(stretch, index),
      user_id: userAt(stretch.emission, index),
      at: new Date(stretch.at),
      get body() {
        return bodyAt(stretch, index, world)
      },
    }
  }

  #stretchOf(number: number): Stretch | undefined {
    let low = 0
    let high = this.#stretches.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#stretches[middle] as Stretch).first <= number) low = middle + 1
      else high = middle
    }
    const stretch = this.#stretches[low - 1]
    return stretch && number < stretch.first + stretch.count ? stretch : undefined
  }

  /** Drops what is neither shown nor still to be delivered, and what waits too long for a receiver. */
  #prune(): void {
    const shown = Math.max(this.#cleared, this.#count - this.#world.settings.outboxLimit) + 1
    const endOf = ({ first, count }: Stretch) => first + count
    const [oldest] = this.#stretches
    if (!oldest || endOf(oldest) > shown) return
    const needed = Math.min(shown, this.#delivery.needed())
    const kept = this.#stretches.findIndex((stretch) => endOf(stretch) > needed)
    const excess = this.#stretches.length - undeliveredLimit
    this.#stretches.splice(0, Math.max(excess, kept === -1 ? this.#stretches.length : kept))
  }
}

const emptyOutbox: OutboxSnapshot = { count: 0, cleared: 0, stretches: [] }

/** Whether a type fits a pattern, in which `*` stands for anything. */
export function typeMatcher(pattern: string): (type: string) => boolean {
  if (typeof pattern !== 'string') {
    throw new MockError('invalid_option', `Expected a type of event, but got ${shown(pattern)}.`)
  }
  if (pattern === '*') return () => true
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop()
  if (end === undefined) return (type) => type === pattern
  return (type) => {
    const last = type.length - end.length
    if (last < start.length || !type.startsWith(start) || !type.endsWith(end)) return false
    let from = start.length
    // The first place of each part leaves the most to the parts after it, so one pass is enough.
    for (const part of rest) {
      const found = type.indexOf(part, from)
      if (found === -1) return false
      from = found + part.length
    }
    return from <= last
  }
}

/** One event of a connection: the connection itself, a chunk of data, or the end of a resource's history. */
interface Step {
  event_type: string
  chunk?: Pick<Chunk, 'resource' | 'rows' | 'part'>
}

type Connections = Extract<Emission, { kind: 'connections' }>

const steps = new WeakMap<Emission, Step[]>()

/** The events of each user of an emission: the connection, then all chunks, then the end of each resource's history. */
function stepsOf(emission: Connections): Step[] {
  const known = steps.get(emission)
  if (known) return known
  const pulls = [
    ...emission.resources.map((resource) => ({ resource, count: chunksOf(resource) })),
    ...Object.entries(emission.rows).map(([resource, rows]) => ({
      resource,
      rows,
      count: Math.ceil(rows.length / rowsPerChunk),
    })),
  ]
  const made: Step[] = [
    { event_type: 'provider.connection.created' },
    ...pulls.flatMap(({ count, ...pull }) =>
      Array.from({ length: count }, (_, index) => ({
        event_type: dataType('daily', pull.resource, 'created'),
        chunk: { ...pull, part: [index, count] as const },
      })),
    ),
    ...pulls.map(({ count: _, ...pull }) => ({
      event_type: dataType('historical', pull.resource, 'created'),
      chunk: pull,
    })),
  ]
  steps.set(emission, made)
  return made
}

/** How many rows of a user's own come in one chunk of a historical pull. */
const rowsPerChunk = 100

/** How many events an emission is. */
export function countOf(emission: Emission): number {
  if (emission.kind !== 'connections') return 1
  return emission.user_ids.length * stepsOf(emission).length
}

function stepAt(emission: Connections, index: number): { user_id: string; step: Step } {
  const all = stepsOf(emission)
  return {
    // The index is below the count of users times steps.
    user_id: emission.user_ids[Math.floor(index / all.length)] as string,
    step: all[index % all.length] as Step,
  }
}

function typeAt({ emission }: Stretch, index: number): string {
  if (emission.kind === 'event') return emission.body.event_type
  if (emission.kind === 'rows') return emission.event_type
  return stepAt(emission, index).step.event_type
}

function userAt(emission: Emission, index: number): string | undefined {
  if (emission.kind === 'rows') return emission.chunk.user_id
  if (emission.kind === 'connections') return stepAt(emission, index).user_id
  const { user_id } = emission.body
  return typeof user_id === 'string' ? user_id : undefined
}

/** The body of an event, as of the moment of its emission. */
function bodyAt(
  { emission, at, deprecatedFields }: Stretch,
  index: number,
  world: World,
): EventBody {
  if (emission.kind === 'event') return structuredClone(emission.body)
  const { data, providers, random } = world
  const view = { data, providers, random, clock: { moment: at }, settings: { deprecatedFields } }
  if (emission.kind === 'rows') return dataEvent(emission.event_type, emission.chunk, view)
  const { provider } = emission
  const { user_id, step } = stepAt(emission, index)
  if (step.chunk) return dataEvent(step.event_type, { ...step.chunk, user_id, provider }, view)
  return connectionEvent(user_id, provider, view)
}
