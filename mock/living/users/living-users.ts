import { present } from '../../../src/shared/narrow.ts'
import { firstIndex } from '../../shared/lists.ts'
import { isChangeOf } from '../../state/collections/changes.ts'
import type { Change } from '../../state/collections/collection.ts'
import type { ArrivalFormat } from '../../state/defaults.ts'
import type { RecordPort } from '../../state/ports.ts'
import type { User } from '../../state/records/users.ts'
import type { Feed } from '../arrivals/feed.ts'
import { type LivingConnection, type LivingUser, makeFeed } from './living-feeds.ts'
import { lifeFactsOf } from './people.ts'

/** The living users in a snapshot. */
export interface LivingUsersSnapshot {
  /** The living users, in creation order. */
  users: LivingUser[]
  /** The connections of living users, in creation order. */
  connections: LivingConnection[]
  /**
   * The earlier format settings for arriving data, oldest first. Default: none.
   *
   * @internal
   */
  formats?: PastFormat[]
  /**
   * The format settings when the snapshot was taken. Default: the restoring team's settings.
   *
   * @internal
   */
  format?: ArrivalFormat
}

/** The format settings before a change. */
interface PastFormat extends ArrivalFormat {
  /** The time of the change, as a Unix timestamp in milliseconds. */
  until: number
  /** The number of connections before the change. The data of later connections has the new format. */
  connections: number
}

/** The users whose data arrives over time, and their connections. */
// `#users` and `#connections` only grow, and their entries are replaced, never modified. Feeds are created on first
// use, because many users' data is never read.
export class LivingUsers {
  readonly #team: RecordPort
  #users: LivingUser[] = []
  #connections: LivingConnection[] = []
  #formats: PastFormat[] = []
  /** The indexes of the entries in `#users`, by user id. The current entry is last. */
  readonly #byUser = new Map<string, number[]>()
  /** The indexes of the entries in `#connections`, by index in `#users`. */
  readonly #byLivingUser = new Map<number, number[]>()
  /** The feeds, keyed by connection number and created on first use. */
  readonly #feeds = new Map<number, Feed>()

  constructor(team: RecordPort) {
    this.#team = team
  }

  /** The number of connections so far. */
  get count(): number {
    return this.#connections.length
  }

  isLiving(userId: string): boolean {
    return this.#current(userId) !== undefined
  }

  /** Returns whether a user's data arrives or has arrived over time, instead of existing from the start. */
  hasArrivals(userId: string): boolean {
    return this.isLiving(userId) || this.#numbersOf(userId).length > 0
  }

  /** Returns whether a user is or was a living user. */
  hasLived(userId: string): boolean {
    return this.#byUser.has(userId)
  }

  /** Returns the ids of all current and former living users. */
  userIds(): string[] {
    return [...this.#byUser.keys()]
  }

  /** Applies a change to a user or connection. A connection that is created without events gets no feed. */
  handleChange(change: Change, isWithoutEvents: boolean): void {
    if (isChangeOf(change, 'users')) this.#handleUser(change.before, change.after)
    if (!isChangeOf(change, 'connections') || isWithoutEvents) return
    const { action, before, after } = change
    if (after && action === 'create') {
      this.connect(after.user_id, after.provider, this.#team.clock.moment)
    }
    if (before && action === 'delete') this.#disconnect(before.user_id, before.provider)
  }

  /** Connects a living user to a provider. Does nothing if the user is not a living user or is already connected. */
  connect(userId: string, provider: string, from: number): void {
    const user = this.#current(userId)
    if (user === undefined || this.#isConnected(user, provider)) return
    this.#addConnection({ user, provider, from, to: null })
  }

  /** Returns the feed of a connection. Connection numbers start at 0. */
  feed(number: number): Feed {
    const known = this.#feeds.get(number)
    if (known) return known
    const connection = present(this.#connections[number])
    const user = present(this.#users[connection.user])
    const previous = this.#previous(number, user.user_id, connection.provider)
    const feed = makeFeed(number, connection, user, this.#team, previous)
    this.#feeds.set(number, feed)
    return feed
  }

  /** Starts feeds for living users' connections that were created without events, such as fixture connections. */
  connectAll(): void {
    const { connections, clock } = this.#team
    for (const { user_id, provider } of connections.list({})) {
      this.connect(user_id, provider, clock.moment)
    }
  }

  /** Returns a user's feeds, in connection order, or an empty array if the user has been deleted. */
  feedsOf(userId: string): Feed[] {
    return this.#numbersOf(userId).map((number) => this.feed(number))
  }

  /** Returns a user's feeds, even if the user has been deleted. */
  allFeedsOf(userId: string): Feed[] {
    const users = this.#byUser.get(userId) ?? []
    return users.flatMap((user) => this.#connectionsOf(user)).map((number) => this.feed(number))
  }

  /** If the format settings have changed, stores the previous ones for data that has already arrived. */
  handleSettings({ deprecatedFields, historicalEvents }: ArrivalFormat): void {
    const { settings, clock } = this.#team
    const isSame =
      deprecatedFields === settings.deprecatedFields &&
      historicalEvents === settings.historicalEvents
    if (isSame || this.count === 0) return
    const before = { deprecatedFields, historicalEvents }
    this.#formats.push({ ...before, until: clock.moment, connections: this.count })
  }

  /** Returns the format settings that applied when a feed's data arrived. */
  formatAt({ number }: Feed, at: number): ArrivalFormat {
    const isPast = ({ until, connections }: PastFormat) =>
      at < until || (at === until && number < connections)
    return this.#formats.find(isPast) ?? this.#team.settings
  }

  /**
   * Returns the state for a snapshot, or undefined if there has never been a living user. The state's entries are never
   * modified.
   */
  snapshot(): LivingUsersSnapshot | undefined {
    if (this.#users.length === 0) return undefined
    const formats = this.#formats
    const { deprecatedFields, historicalEvents } = this.#team.settings
    return {
      users: [...this.#users],
      connections: [...this.#connections],
      ...(formats.length > 0 ? { formats: [...formats] } : {}),
      format: { deprecatedFields, historicalEvents },
    }
  }

  /** Restores a snapshot's state. Without a snapshot, removes all living users. */
  restore(snapshot: LivingUsersSnapshot = { users: [], connections: [] }): void {
    const { users, connections, formats = [], format } = snapshot
    this.#users = []
    this.#connections = []
    this.#formats = structuredClone(formats)
    for (const part of [this.#byUser, this.#byLivingUser, this.#feeds]) part.clear()
    for (const user of structuredClone(users)) this.#addUser(user)
    for (const connection of structuredClone(connections)) this.#addConnection(connection)
    if (format) this.handleSettings(format)
  }

  #handleUser(before: User | undefined, after: User | undefined): void {
    const [old, facts] = [before, after].map((user) =>
      user?.living ? lifeFactsOf(user) : undefined,
    )
    if (after && JSON.stringify(old) === JSON.stringify(facts)) return
    const userId = String((after ?? before)?.user_id)
    this.#end(userId, after === undefined)
    if (!facts) return
    // A new user's connections are created later. Any other user may already have connections.
    const isNew = !before && !this.#byUser.has(userId)
    this.#addUser({ user_id: userId, ...facts, isCurrent: true, isDeleted: false })
    if (isNew) return
    const { connections, clock } = this.#team
    for (const { provider } of connections.list({ user_id: userId })) {
      this.connect(userId, provider, clock.moment)
    }
  }

  /** Ends a user's connections, because the user was deleted, has new facts, or is no longer a living user. */
  #end(userId: string, isDeleted: boolean): void {
    const { moment } = this.#team.clock
    for (const number of this.#byUser.get(userId) ?? []) {
      const user = present(this.#users[number])
      const wasDeleted = user.isDeleted
      this.#users[number] = { ...user, isCurrent: false, isDeleted: isDeleted || wasDeleted }
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
      this.#endConnection(number, this.#team.clock.moment)
    }
  }

  #endConnection(number: number, moment: number): void {
    const connection = this.#connections[number]
    if (!connection || connection.to !== null) return
    this.#connections[number] = { ...connection, to: moment }
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
      .flatMap((number) => this.#connectionsOf(number))
  }

  #connectionsOf(user: number): readonly number[] {
    return this.#byLivingUser.get(user) ?? []
  }

  /** Returns the feed of the user's last connection to a provider before connection `number`, if any. */
  #previous(number: number, userId: string, provider: string): Feed | undefined {
    for (const user of this.#byUser.get(userId)?.toReversed() ?? []) {
      const connections = this.#connectionsOf(user)
      // Search backwards without copying, because a user may have reconnected thousands of times.
      const end = firstIndex(connections.length, (index) => (connections[index] ?? 0) >= number)
      for (let index = end - 1; index >= 0; index -= 1) {
        const other = present(connections[index])
        if (this.#connections[other]?.provider === provider) return this.feed(other)
      }
    }
    return undefined
  }

  #isConnected(user: number, provider: string): boolean {
    return this.#connectionsOf(user).some((number) => {
      const connection = this.#connections[number]
      return connection?.provider === provider && connection.to === null
    })
  }
}
