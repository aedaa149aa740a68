import { lifeFactsOf } from '../living/users/people.ts'
import { Fifo, firstIndex } from '../shared/lists.ts'
import { isChangeOf } from '../state/collections/changes.ts'
import type { Change } from '../state/collections/collection.ts'
import type { TeamProvider } from '../state/records/link.ts'
import type { EmissionPort, UserFacts } from './event-port.ts'

/** What a record was until an event. */
interface PastRecord<Collection extends string, Facts> {
  /** The record's collection. */
  collection: Collection
  /** The record's key. */
  key: string
  /** The number of the last event before the change. */
  until: number
  /** Null if the record did not exist. */
  facts: Facts | null
}

/** What a user or a provider was until an event. */
export type PastFact = PastRecord<'users', UserFacts> | PastRecord<'providers', TeamProvider>

/** An event, and the records from which its body is made. */
interface EventSource {
  /** The event's number. */
  number: number
  userId: string
  /** The provider's slug. */
  slug: string
}

/**
 * What users and providers were before they changed. The bodies of events are made from it when they are read, so that an
 * event always has the same body although few of them are kept.
 */
export class PastFacts {
  /** In the order of the changes. */
  readonly #facts: Fifo<PastFact>
  readonly #byName = new Map<string, Fifo<PastFact>>()

  constructor(facts: readonly PastFact[] = []) {
    this.#facts = new Fifo(facts)
    for (const fact of facts) this.#index(fact)
  }

  /** Returns what is kept, in the order of the changes. */
  list(): PastFact[] {
    return this.#facts.list()
  }

  /** Keeps what a change replaces, for the events until a number. */
  handleChange(change: Change, until: number): void {
    const fact = pastFactOf(change, until)
    if (!fact) return
    this.#facts.push(fact)
    this.#index(fact)
  }

  /** Drops what only events before a number need. */
  dropBefore(number: number): void {
    for (let { first } = this.#facts; first && first.until < number; first = this.#facts.first) {
      this.#facts.shift()
      const name = nameOf(first)
      const ofName = this.#byName.get(name)
      ofName?.shift()
      if (ofName?.length === 0) this.#byName.delete(name)
    }
  }

  /** Returns the state from which the body of an event is made: that of the time of its emission. Later changes do not change it. */
  contextAt({ data, providers, users }: EmissionPort, { number, userId, slug }: EventSource) {
    const facts = this.#at<UserFacts>('users', userId, number, users)
    const provider = this.#at('providers', slug, number, providers)
    return { data: data.withFacts(() => facts), providers: { get: () => provider } }
  }

  /** Returns the caller's own id of an event's user at the time of its emission; null without one. */
  clientUserId({ users }: EmissionPort, number: number, userId: string): string | null {
    return this.#at<UserFacts>('users', userId, number, users)?.client_user_id ?? null
  }

  /** Returns what a record was at an event: what the first change after it replaced, otherwise what it is. */
  #at<Facts>(
    collection: PastFact['collection'],
    key: string,
    number: number,
    current: { get(key: string): Facts | undefined },
  ): Facts | undefined {
    const known = this.#byName.get(`${collection}/${key}`)
    if (!known) return current.get(key)
    const index = firstIndex(known.length, (index) => (known.at(index)?.until ?? 0) >= number)
    const past = known.at(index)
    // The facts of a collection have its type.
    return past ? ((past.facts as Facts | null) ?? undefined) : current.get(key)
  }

  #index(fact: PastFact): void {
    const name = nameOf(fact)
    const known = this.#byName.get(name)
    if (known) known.push(fact)
    else this.#byName.set(name, new Fifo([fact]))
  }
}

function nameOf({ collection, key }: PastFact): string {
  return `${collection}/${key}`
}

/** Returns what a change replaces; undefined if bodies do not depend on it. */
function pastFactOf(change: Change, until: number): PastFact | undefined {
  const { key } = change
  if (isChangeOf(change, 'providers')) {
    return { collection: 'providers', key, until, facts: change.before ?? null }
  }
  if (!isChangeOf(change, 'users')) return undefined
  const { collection, before, after } = change
  const facts = userFactsOf(before)
  if (JSON.stringify(facts) === JSON.stringify(userFactsOf(after))) return undefined
  return { collection, key, until, facts: before ? facts : null }
}

function userFactsOf(user: UserFacts | undefined): UserFacts {
  return { client_user_id: user?.client_user_id, ...lifeFactsOf(user) }
}
