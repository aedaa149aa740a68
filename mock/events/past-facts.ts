import { lifeFactsOf } from '../living/users/people.ts'
import { Fifo, firstIndex } from '../shared/lists.ts'
import { isChangeOf } from '../state/collections/changes.ts'
import type { Change } from '../state/collections/collection.ts'
import type { TeamProvider } from '../state/records/link.ts'
import type { EmissionPort, UserFacts } from './event-port.ts'

interface PastRecord<Collection extends string, Facts> {
  collection: Collection
  key: string
  /** The number of the last event before the change. */
  until: number
  /** The record's state, or null if the record did not exist. */
  facts: Facts | null
}

export type PastFact = PastRecord<'users', UserFacts> | PastRecord<'providers', TeamProvider>

/** An event, and the keys of the records from which its body is created. */
interface EventSource {
  number: number
  userId: string
  slug: string
}

/**
 * The earlier states of users and providers. Event bodies are created from these states on each read, so each read
 * returns the same body, although bodies are not stored.
 */
export class PastFacts {
  readonly #facts: Fifo<PastFact>
  readonly #byName = new Map<string, Fifo<PastFact>>()

  constructor(facts: readonly PastFact[] = []) {
    this.#facts = new Fifo(facts)
    for (const fact of facts) this.#index(fact)
  }

  list(): PastFact[] {
    return this.#facts.list()
  }

  /** Stores the state that a change replaces, for the events up to event number `until`. */
  handleChange(change: Change, until: number): void {
    const fact = pastFactOf(change, until)
    if (!fact) return
    this.#facts.push(fact)
    this.#index(fact)
  }

  /** Drops the facts needed only by events before the given number. */
  dropBefore(number: number): void {
    for (let { first } = this.#facts; first && first.until < number; first = this.#facts.first) {
      this.#facts.shift()
      const name = nameOf(first)
      const ofName = this.#byName.get(name)
      ofName?.shift()
      if (ofName?.length === 0) this.#byName.delete(name)
    }
  }

  contextAt({ data, providers, users }: EmissionPort, { number, userId, slug }: EventSource) {
    const facts = this.#at<UserFacts>('users', userId, number, users)
    const provider = this.#at('providers', slug, number, providers)
    return { data: data.withFacts(() => facts), providers: { get: () => provider } }
  }

  clientUserId({ users }: EmissionPort, number: number, userId: string): string | null {
    return this.#at<UserFacts>('users', userId, number, users)?.client_user_id ?? null
  }

  /**
   * Returns a record's state at an event: the state that the first later change replaced, or the current state if no
   * change followed.
   */
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
    // The collection determines the type of its facts.
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

/** Returns the state that a change replaces, or undefined if event bodies do not depend on it. */
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
