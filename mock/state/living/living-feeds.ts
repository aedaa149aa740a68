import { ContentCache } from '../../life/arrivals/content-cache.ts'
import { type Feed, RecentDates } from '../../life/arrivals/feed.ts'
import { devicesOf } from '../../life/devices/devices.ts'
import type { Person } from '../../life/person/person.ts'
import { type LifeFacts, type PeopleContext, personOf } from '../records/health/people.ts'

/** A living user, in plain values for snapshots. */
export interface LivingUser extends LifeFacts {
  /** The id of the user. */
  user_id: string
  /** Whether the user lives now. One whose facts changed continues as another living user. */
  isCurrent: boolean
  /** Whether the user was deleted: reads no longer find what arrived. */
  isDeleted: boolean
}

/** A connection of a living user, in plain values for snapshots. */
export interface LivingConnection {
  /** The index of the living user. */
  user: number
  /** The slug of the provider. */
  provider: string
  /** Milliseconds since 1970. */
  from: number
  /** Null while the connection exists. */
  to: number | null
}

/** How many people are kept with what is computed of their days, which takes about 1 MB each. */
const activePeople = 128

/** The living users and their connections, by number. */
interface LivingRecords {
  user(number: number): LivingUser
  connection(number: number): LivingConnection
}

/** What the connections of living users send: each feed and person is made at its first use. */
export class LivingFeeds {
  readonly #context: PeopleContext
  readonly #records: LivingRecords
  readonly #feeds = new Map<number, Feed>()
  readonly #people = new Map<number, Person>()
  /** The people who were used lately, the least recent first: what is computed of their days is kept with them. */
  readonly #active = new Map<number, Person>()
  #content = new ContentCache()

  constructor(context: PeopleContext, records: LivingRecords) {
    this.#context = context
    this.#records = records
  }

  /** Returns the feed of a connection by its number. */
  get(number: number): Feed {
    const known = this.#feeds.get(number)
    if (known) return known
    const feed = this.#makeFeed(number, this.#records.connection(number))
    this.#feeds.set(number, feed)
    return feed
  }

  /** Forgets the feed of a connection that changed. */
  forget(number: number): void {
    this.#feeds.delete(number)
  }

  /** Forgets everything, such as before a restore. */
  clear(): void {
    for (const map of [this.#feeds, this.#people, this.#active]) map.clear()
    this.#content = new ContentCache()
  }

  #makeFeed(number: number, { user, provider, from, to }: LivingConnection): Feed {
    const { user_id } = this.#records.user(user)
    const person = this.#person(user)
    const active = () => this.#activePerson(user)
    return {
      number,
      userId: user_id,
      zone: person.zone,
      get person() {
        return active()
      },
      provider,
      devices: devicesOf(person, [provider]),
      random: this.#context.random.fork(`feed/${user_id}/${provider}`),
      from,
      to: to ?? Number.POSITIVE_INFINITY,
      recent: new RecentDates(),
      content: this.#content,
    }
  }

  /** Returns the same object for every feed of a living user, as long as it is used often. */
  #activePerson(number: number): Person {
    const person = this.#active.get(number) ?? { ...this.#person(number) }
    this.#active.delete(number)
    this.#active.set(number, person)
    const [oldest] = this.#active.keys()
    if (this.#active.size > activePeople && oldest !== undefined) this.#active.delete(oldest)
    return person
  }

  #person(number: number): Person {
    const known = this.#people.get(number)
    if (known) return known
    const { user_id, ...facts } = this.#records.user(number)
    const person = personOf(user_id, facts, this.#context)
    this.#people.set(number, person)
    return person
  }
}
