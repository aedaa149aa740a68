import type { ConnectionRecipe } from '../../src/contract/link.ts'
import type { BulkOpStatus } from '../../src/contract/values/known-values.ts'
import type { Random } from '../base/random.ts'
import { MockError } from '../errors.ts'
import type { TeamClock } from './clock/clock.ts'
import type { DueEventType } from './clock/due-event.ts'
import { checkMoment, dateTime, spanOf } from './clock/time.ts'
import type { Settings } from './defaults.ts'
import { type BulkImportOp, bulkOpOf, type ImportRun } from './records/bulk-ops.ts'
import type { Connection } from './records/link.ts'
import type { User } from './records/users.ts'

interface ImportsContext {
  readonly random: Random
  readonly clock: Pick<TeamClock, 'moment' | 'cancel' | 'settle'>
  readonly settings: Pick<Settings, 'importTimePerConnection'>
  readonly users: { get(userId: string): User | undefined }
  readonly connections: {
    has(userId: string, provider: string): boolean
    put(connection: Connection): Connection
  }
  schedule(type: DueEventType, subject: string, at: number): void
  withoutEvents<T>(change: () => T): T
  /** Sends the events of users who were connected to a provider. */
  emitConnections(provider: string, userIds: readonly string[], at: number): void
}

/**
 * A team's bulk imports, first in, first out. The progress of an operation is computed from the clock, so that a hundred
 * thousand connections need one due event only.
 */
export class Imports {
  readonly #context: ImportsContext
  /** By id, in submission order. */
  readonly #runs = new Map<string, ImportRun>()
  /** The operations in progress, in submission order. */
  #queue: ImportRun[] = []
  #isCatchingUp = false

  constructor(context: ImportsContext) {
    this.#context = context
  }

  /** Queues an import. Returns its id. */
  submit(provider: string, recipes: ConnectionRecipe[]): string {
    const { clock, settings, random } = this.#context
    const submitted = clock.moment
    const begins = Math.max(submitted, this.#queue.at(-1)?.ends ?? submitted)
    const ends = begins + recipes.length * spanOf(settings.importTimePerConnection)
    checkMoment(ends)
    const id = random.uuid()
    const run: ImportRun = {
      id,
      provider,
      status: 'in_progress',
      total: recipes.length,
      processed: 0,
      imported: [],
      failed: [],
      connected: [],
      submitted,
      begins,
      ends,
      recipes,
    }
    this.#runs.set(id, run)
    this.#queue.push(run)
    if (ends > submitted) this.#context.schedule('import.end', id, ends)
    this.catchUp()
    return id
  }

  /** Imports the connections that are due by now. */
  catchUp(): void {
    // Importing reads collections, and every read of a collection calls this method.
    if (this.#isCatchingUp) return
    this.#isCatchingUp = true
    try {
      for (let run = this.#queue[0]; run; run = this.#queue[0]) {
        this.#process(run)
        if (run.status === 'in_progress') break
        this.#queue.shift()
      }
    } finally {
      this.#isCatchingUp = false
    }
  }

  /**
   * Aborts an operation. Imported connections stay; the remaining ones count neither as imported nor as failed.
   *
   * @throws {MockError} `illegal_transition` if no bulk import in progress has this id.
   */
  abort(id: string): BulkImportOp {
    this.catchUp()
    const run = this.#runs.get(id)
    if (run?.status !== 'in_progress') {
      throw new MockError(
        'illegal_transition',
        `No bulk import in progress has the id '${id}'. Use an id from bulkOps.list() with the status in_progress.`,
      )
    }
    const { clock } = this.#context
    clock.cancel(id)
    // Remove it first: the events of its end read collections, which would process it again.
    this.#queue = this.#queue.filter((queued) => queued !== run)
    this.#end(run, 'aborted', clock.moment)
    this.#replan()
    clock.settle()
    return bulkOpOf(run)
  }

  /** Returns an import by its id; undefined for an unknown id. */
  get(id: string): BulkImportOp | undefined {
    this.catchUp()
    const run = this.#runs.get(id)
    return run && bulkOpOf(run)
  }

  /** Whether an import has ended. */
  hasEnded(id: string): boolean {
    return this.#runs.get(id)?.status !== 'in_progress'
  }

  /** Returns the operations, the oldest first. */
  list(): BulkImportOp[] {
    this.catchUp()
    return [...this.#runs.values()].map(bulkOpOf)
  }

  /** Returns the state for a snapshot. */
  snapshot(): ImportRun[] {
    return structuredClone([...this.#runs.values()])
  }

  /** Restores the state of a snapshot. */
  restore(snapshot: readonly ImportRun[]): void {
    // Operations change while they run; the snapshot must not.
    const runs = [...structuredClone(snapshot)]
    this.#runs.clear()
    for (const run of runs) this.#runs.set(run.id, run)
    this.#queue = runs.filter(({ status }) => status === 'in_progress')
  }

  #process(run: ImportRun): void {
    const { clock } = this.#context
    // The setting of the time of submission counts.
    const each = (run.ends - run.begins) / run.total
    const elapsed = clock.moment - run.begins
    const due = clock.moment >= run.ends ? run.total : Math.max(0, Math.floor(elapsed / each))
    for (; run.processed < due; run.processed += 1) {
      this.#import(run, run.recipes[run.processed] as ConnectionRecipe, each)
    }
    if (clock.moment >= run.ends) this.#end(run, 'success', run.ends)
  }

  /** Imports a connection; it fails if the team does not have the user. */
  #import(run: ImportRun, recipe: ConnectionRecipe, each: number): void {
    const { users, connections } = this.#context
    const user = users.get(recipe.user_id)
    if (!user) {
      run.failed.push(recipe.user_id)
      return
    }
    // The string of the user's record: that of the request would keep its whole body in memory.
    const { user_id } = user
    const { provider_id, oauth_scopes } = recipe
    const created_at = dateTime(run.begins + (run.processed + 1) * each)
    const { provider } = run
    if (!connections.has(user_id, provider)) run.connected.push(user_id)
    const scopes = oauth_scopes ?? null
    const connection = { user_id, provider, provider_id, oauth_scopes: scopes, created_at }
    this.#context.withoutEvents(() => connections.put(connection))
    run.imported.push(user_id)
  }

  #end(run: ImportRun, status: BulkOpStatus, moment: number): void {
    run.status = status
    run.ends = moment
    run.recipes = []
    this.#context.emitConnections(run.provider, run.connected, moment)
    run.connected = []
  }

  /** Reschedules the queued operations after one before them ended early. */
  #replan(): void {
    const { clock } = this.#context
    let free = clock.moment
    for (const run of this.#queue) {
      const length = run.ends - run.begins
      // Only the first operation can have begun; it keeps its times.
      if (run.begins > clock.moment) run.begins = Math.max(run.submitted, free)
      run.ends = run.begins + length
      free = run.ends
      clock.cancel(run.id)
      this.#context.schedule('import.end', run.id, run.ends)
    }
  }
}
