import type { Feed } from '../../life/arrivals/feed.ts'
import type { Change } from '../collection.ts'
import type { LifeFacts, PeopleContext } from '../records/health/people.ts'
import type { Connection } from '../records/link.ts'
import type { User } from '../records/users.ts'
import { type LivingConnection, LivingFeeds, type LivingUser } from './living-feeds.ts'

/** The living users in a snapshot. */
export interface LivingUsersSnapshot {
  /** The living users, in the order of their creation. */
  users: LivingUser[]
  /** The connections of living users, in the order of their creation. */
  connections: LivingConnection[]
}

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
  readonly #feeds: LivingFeeds

  constructor(context: LivingUsersContext) {
    this.#context = context
    this.#feeds = new LivingFeeds(context, {
      user: (number) => this.#users[number] as LivingUser,
      connection: (number) => this.#connections[number] as LivingConnection,
    })
  }

  /** The number of connections so far. */
  get count(): number {
    return this.#connections.length
  }

  /** Whether a user lives. */
  isLiving(userId: string): boolean {
    return this.#current(userId) !== undefined
  }

  /** Whether the data of a user arrives, or has arrived, and is not there from the beginning. */
  hasArrivals(userId: string): boolean {
    return this.isLiving(userId) || this.#numbersOf(userId).length > 0
  }

  /** Whether a user ever lived. */
  hasLived(userId: string): boolean {
    return this.#byUser.has(userId)
  }

  /** Returns the ids of all users who ever lived. */
  userIds(): string[] {
    return [...this.#byUser.keys()]
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
    return this.#feeds.get(number)
  }

  /** Connects living users by the connections that were created without events, such as those of a fixture. */
  connectAll(): void {
    const { connections, clock } = this.#context
    for (const { user_id, provider } of connections.list({})) {
      if (!this.#isConnected(user_id, provider)) this.connect(user_id, provider, clock.moment)
    }
  }

  /** Returns the feeds of a user, in the order of their connections; none after the user was deleted. */
  feedsOf(userId: string): Feed[] {
    return this.#numbersOf(userId).map((number) => this.feed(number))
  }

  /** Returns the feeds of a user, also if it was deleted. */
  allFeedsOf(userId: string): Feed[] {
    const users = this.#byUser.get(userId) ?? []
    return users.flatMap((user) => this.#connectionsOf(user)).map((number) => this.feed(number))
  }

  /** Returns the state for a snapshot. */
  snapshot(): LivingUsersSnapshot {
    return structuredClone({ users: this.#users, connections: this.#connections })
  }

  /** Restores the state of a snapshot; without one, no user is living. */
  restore({ users, connections }: LivingUsersSnapshot = { users: [], connections: [] }): void {
    this.#users = []
    this.#connections = []
    for (const part of [this.#byUser, this.#byLivingUser, this.#feeds]) part.clear()
    for (const user of structuredClone(users)) this.#addUser(user)
    for (const connection of structuredClone(connections)) this.#addConnection(connection)
  }

  #handleUser(before: User | undefined, after: User | undefined): void {
    const [old, facts] = [before && factsOf(before), after && factsOf(after)]
    if (after && JSON.stringify(old) === JSON.stringify(facts)) return
    const userId = String((after ?? before)?.user_id)
    this.#end(userId, after === undefined)
    if (!facts) return
    // The connections of a new user are created after it; one that lived before may still have some.
    const isNew = !before && !this.#byUser.has(userId)
    this.#addUser({ user_id: userId, ...facts, isCurrent: true, isDeleted: false })
    if (isNew) return
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
      for (const connection of this.#connectionsOf(number)) {
        this.#endConnection(connection, moment)
      }
    }
  }

  #disconnect(userId: string, provider: string): void {
    const user = this.#current(userId)
    if (user === undefined) return
    for (const number of this.#connectionsOf(user)) {
      if (this.#connections[number]?.provider !== provider) continue
      this.#endConnection(number, this.#context.clock.moment)
    }
  }

  #endConnection(number: number, moment: number): void {
    const connection = this.#connections[number]
    if (!connection || connection.to !== null) return
    connection.to = moment
    this.#feeds.forget(number)
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
      .flatMap((number) => this.#connectionsOf(number))
  }

  #connectionsOf(user: number): readonly number[] {
    return this.#byLivingUser.get(user) ?? []
  }

  #isConnected(userId: string, provider: string): boolean {
    const user = this.#current(userId)
    const numbers = user === undefined ? [] : this.#connectionsOf(user)
    return numbers.some((number) => {
      const connection = this.#connections[number]
      return connection?.provider === provider && connection.to === null
    })
  }
}

/** Returns how a user lives; undefined if the user does not live. */
function factsOf({ living, persona, time_zone, born, sex }: User): LifeFacts | undefined {
  if (!living) return undefined
  return { persona, time_zone, born, sex }
}
