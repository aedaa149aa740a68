import { ContentCache } from '../../life/arrivals/content-cache.ts'
import { type Feed, RecentDates } from '../../life/arrivals/feed.ts'
import { devicesOf } from '../../life/devices/devices.ts'
import type { Person } from '../../life/person/person.ts'
import type { Change } from '../collection.ts'
import { type LifeFacts, type PeopleContext, personOf } from '../records/health/people.ts'
import type { Connection } from '../records/link.ts'
import type { User } from '../records/users.ts'

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

/** The living users in a snapshot. */
export interface LivingUsersSnapshot {
  /** The living users, in the order of their creation. */
  users: LivingUser[]
  /** The connections of living users, in the order of their creation. */
  connections: LivingConnection[]
}

/** How many people are kept with what is computed of their days, which takes about 1 MB each. */
const activePeople = 128

interface LivingUsersContext extends PeopleContext {
  readonly clock: { readonly moment: number }
  readonly connections: { list(where: Partial<Connection>): Connection[] }
}

/**
 * The users whose data keeps arriving, with their connections. Both only grow, and nothing is computed here: a team may
 * have many of them that are never read.
 */
export class LivingUsers {
  readonly #context: LivingUsersContext
  #users: LivingUser[] = []
  #connections: LivingConnection[] = []
  /** The numbers of the living users by user, the current one last. */
  readonly #byUser = new Map<string, number[]>()
  /** The numbers of the connections by living user. */
  readonly #byLivingUser = new Map<number, number[]>()
  readonly #feeds = new Map<number, Feed>()
  readonly #people = new Map<number, Person>()
  /** The people who were used lately, the least recent first: what is computed of their days is kept with them. */
  readonly #active = new Map<number, Person>()
  #content = new ContentCache()

  constructor(context: LivingUsersContext) {
    this.#context = context
  }

  /** The number of connections so far. */
  get count(): number {
    return this.#connections.length
  }

  /** Whether a user lives. */
  isLiving(userId: string): boolean {
    return this.#current(userId) !== undefined
  }

  /** Whether data of a user may have arrived. */
  hasFeeds(userId: string): boolean {
    return this.#numbersOf(userId).length > 0
  }

  /** Returns the ids of the users whose data may have arrived. */
  userIds(): string[] {
    return [...this.#byUser.keys()].filter((userId) => this.hasFeeds(userId))
  }

  /** Applies a change of a user or a connection; a connection without events has no feed. */
  handleChange({ collection, after, before, action }: Change, isWithoutEvents: boolean): void {
    // The records of a collection have its type.
    if (collection === 'users') this.#handleUser(before as User | undefined, after as User)
    if (collection !== 'connections' || isWithoutEvents) return
    const { user_id, provider } = (after ?? before) as Connection
    if (action === 'create') this.connect(user_id, provider, this.#context.clock.moment)
    if (action === 'delete') this.#disconnect(user_id, provider)
  }

  /** Connects a living user to a provider; other users are ignored. */
  connect(userId: string, provider: string, from: number): void {
    const user = this.#current(userId)
    if (user === undefined) return
    this.#addConnection({ user, provider, from, to: null })
  }

  /** Returns the feed of a connection by its number, from 0. */
  feed(number: number): Feed {
    const known = this.#feeds.get(number)
    if (known) return known
    // Callers count up to the number of connections.
    const connection = this.#connections[number] as LivingConnection
    const feed = this.#makeFeed(number, connection)
    this.#feeds.set(number, feed)
    return feed
  }

  /** Returns the feeds of a user, in the order of their connections. */
  feedsOf(userId: string): Feed[] {
    return this.#numbersOf(userId).map((number) => this.feed(number))
  }

  /** Returns the state for a snapshot. */
  snapshot(): LivingUsersSnapshot {
    return structuredClone({ users: this.#users, connections: this.#connections })
  }

  /** Restores the state of a snapshot; without one, no user is living. */
  restore({ users, connections }: LivingUsersSnapshot = { users: [], connections: [] }): void {
    this.#users = []
    this.#connections = []
    for (const map of [this.#byUser, this.#byLivingUser, this.#feeds, this.#people, this.#active]) {
      map.clear()
    }
    this.#content = new ContentCache()
    for (const user of structuredClone(users)) this.#addUser(user)
    for (const connection of structuredClone(connections)) this.#addConnection(connection)
  }

  #handleUser(before: User | undefined, after: User | undefined): void {
    const [old, facts] = [before && factsOf(before), after && factsOf(after)]
    if (after && JSON.stringify(old) === JSON.stringify(facts)) return
    const userId = String((after ?? before)?.user_id)
    this.#end(userId, after === undefined)
    if (!facts) return
    this.#addUser({ user_id: userId, ...facts, isCurrent: true, isDeleted: false })
    // The connections of a new user are created after it.
    if (!before) return
    const { connections, clock } = this.#context
    for (const { provider } of connections.list({ user_id: userId })) {
      this.connect(userId, provider, clock.moment)
    }
  }

  /** Ends the connections of a user, who from then on lives differently or not at all. */
  #end(userId: string, isDeleted: boolean): void {
    const { moment } = this.#context.clock
    for (const number of this.#byUser.get(userId) ?? []) {
      const user = this.#users[number] as LivingUser
      user.isCurrent = false
      user.isDeleted ||= isDeleted
      for (const connection of this.#byLivingUser.get(number) ?? []) {
        this.#endConnection(connection, moment)
      }
    }
  }

  #disconnect(userId: string, provider: string): void {
    const user = this.#current(userId)
    if (user === undefined) return
    for (const number of this.#byLivingUser.get(user) ?? []) {
      if (this.#connections[number]?.provider !== provider) continue
      this.#endConnection(number, this.#context.clock.moment)
    }
  }

  #endConnection(number: number, moment: number): void {
    const connection = this.#connections[number]
    if (!connection || connection.to !== null) return
    connection.to = moment
    this.#feeds.delete(number)
  }

  #addUser(user: LivingUser): void {
    const number = this.#users.push(user) - 1
    this.#byUser.set(user.user_id, [...(this.#byUser.get(user.user_id) ?? []), number])
  }

  #addConnection(connection: LivingConnection): void {
    const number = this.#connections.push(connection) - 1
    const known = this.#byLivingUser.get(connection.user)
    if (known) known.push(number)
    else this.#byLivingUser.set(connection.user, [number])
  }

  #current(userId: string): number | undefined {
    return this.#byUser.get(userId)?.find((number) => this.#users[number]?.isCurrent)
  }

  #numbersOf(userId: string): number[] {
    const users = this.#byUser.get(userId) ?? []
    return users
      .filter((number) => !this.#users[number]?.isDeleted)
      .flatMap((number) => this.#byLivingUser.get(number) ?? [])
  }

  #makeFeed(number: number, { user, provider, from, to }: LivingConnection): Feed {
    const { user_id } = this.#users[user] as LivingUser
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
    const { user_id, ...facts } = this.#users[number] as LivingUser
    const person = personOf(user_id, facts, this.#context)
    this.#people.set(number, person)
    return person
  }
}

/** Returns how a user lives; undefined if the user does not live. */
function factsOf({ living, persona, time_zone, born }: User): LifeFacts | undefined {
  if (!living) return undefined
  return { persona, time_zone, born }
}
