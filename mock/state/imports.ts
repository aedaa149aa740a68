import type { ConnectionRecipe } from '../../src/contract/link.ts'
import type { BulkOpStatus } from '../../src/contract/values/known-values.ts'
import { present } from '../../src/shared/narrow.ts'
import { MockError } from '../errors.ts'
import { Fifo } from '../shared/lists.ts'
import type { Slices } from '../shared/slices.ts'
import type { DueEvent } from './clock/due-queue.ts'
import { checkMoment, dateTime, spanOf } from './clock/time.ts'
import { bulkOpOf, type CurrentImport, importState, moveTo } from './collections/bulk-ops.ts'
import { isChangeOf } from './collections/changes.ts'
import type { Change } from './collections/collection.ts'
import type { RecordPort, SchedulePort } from './ports.ts'
import type { BulkImportOp, ImportRun } from './records/bulk-ops.ts'

type EmitConnections = (provider: string, userIds: readonly string[], at: number) => void

/** An operation in the queue, and the number of the request that submitted it. */
interface QueuedImport {
  run: CurrentImport
  cause: number | undefined
}

/** The maximum number of connections that one step of a long import processes. */
const batch = 1000
/** The estimated time to import one connection, in microseconds. */
const importWork = 5

/** Returns the virtual time per connection, in milliseconds, as configured when the import was submitted. */
function timePerConnection({ begins, ends, total }: CurrentImport): number {
  return (ends - begins) / total
}

/** A team's bulk imports, processed first in, first out. */
// An operation's progress is computed from the clock, so a hundred thousand connections need only one due event.
// An operation's end is scheduled when the operation begins, because the previous operation may end early.
export class Imports {
  readonly #team: RecordPort & SchedulePort
  readonly #emitConnections: EmitConnections
  /** The operations by id, in submission order. */
  readonly #runs = new Map<string, CurrentImport>()
  /** Caches the result of `newestFirst`. A submission or restore clears it. */
  #newestFirst: readonly CurrentImport[] | undefined
  /** The current and waiting operations, in submission order. An aborted operation stays until it reaches the front. */
  #queue = new Fifo<QueuedImport>()
  /** The virtual time at which the last operation in the queue ends, as a Unix timestamp in milliseconds. */
  #lastEnd = 0
  #isCatchingUp = false

  constructor(team: RecordPort & SchedulePort, emitConnections: EmitConnections) {
    this.#team = team
    this.#emitConnections = emitConnections
  }

  /** Queues an import. Returns its id. */
  submit(provider: string, recipes: ConnectionRecipe[]): string {
    const { clock, settings, random } = this.#team
    const submitted = clock.moment
    const begins = Math.max(submitted, this.#lastEnd)
    const ends = begins + recipes.length * spanOf(settings.importTimePerConnection)
    checkMoment(ends)
    const id = random.uuid()
    const run: CurrentImport = {
      id,
      provider,
      status: 'in_progress',
      total: recipes.length,
      processed: 0,
      imported: [],
      failed: [],
      connected: new Set(),
      submitted,
      begins,
      ends,
      recipes,
    }
    this.#runs.set(id, run)
    this.#newestFirst = undefined
    this.#lastEnd = ends
    this.#queue.push({ run, cause: this.#team.cause })
    if (this.#queue.length === 1) this.#beginNext(begins)
    this.catchUp()
    return id
  }

  /**
   * Imports due connections in slices until at most {@link batch} are left. Returns undefined if no more than that are
   * due.
   *
   * @internal
   */
  catchUpInSlices(slices: Slices, run: (step: () => void) => void): Promise<void> | undefined {
    const isLong = () => this.#dueOf(this.#current()?.run) > batch
    if (!isLong()) return undefined
    const steps = async () => {
      while (isLong()) {
        run(() => this.catchUp(batch))
        const pause = slices.spend(batch * importWork)
        if (pause) await pause
      }
    }
    // Ignore the error: the next step fails with the same error.
    return steps().catch(() => {})
  }

  /** Imports the connections that are due, up to `most` per import. */
  catchUp(most = Number.POSITIVE_INFINITY): void {
    // Importing reads collections, and every read of a collection calls this method.
    if (this.#isCatchingUp) return
    this.#isCatchingUp = true
    try {
      for (let run = this.#current()?.run; run; run = this.#current()?.run) {
        this.#process(run, most)
        if (run.status === 'in_progress') break
        this.#beginNext(run.ends)
      }
    } finally {
      this.#isCatchingUp = false
    }
  }

  /**
   * Aborts an operation. Imported connections are kept. The others are not processed.
   *
   * @throws {MockError} `illegal_transition` if no bulk import in progress has this id.
   */
  abort(id: string): BulkImportOp {
    this.catchUp()
    const run = this.#runs.get(id)
    if (run?.status !== 'in_progress') {
      throw new MockError(
        'illegal_transition',
        `No bulk import in progress has the id '${id}'. See bulkOps.list().`,
      )
    }
    const { clock } = this.#team
    const isCurrent = this.#current()?.run === run
    this.#lastEnd -= run.ends - (isCurrent ? clock.moment : run.begins)
    clock.cancel('import.end', id)
    this.#end(run, 'aborted', clock.moment)
    if (isCurrent) this.#beginNext(clock.moment)
    return bulkOpOf(run)
  }

  /** Returns the import with the given id, or undefined if there is none. */
  get(id: string): BulkImportOp | undefined {
    this.catchUp()
    const run = this.#runs.get(id)
    return run && bulkOpOf(run)
  }

  /** Returns whether an import has ended or is unknown. */
  hasEnded(id: string): boolean {
    return this.#runs.get(id)?.status !== 'in_progress'
  }

  /** Returns the operations, oldest first. */
  list(): BulkImportOp[] {
    this.catchUp()
    return [...this.#runs.values()].map(bulkOpOf)
  }

  /** Suppresses the events for a connection if the connection or its user is deleted before the import ends. */
  handleChange(change: Change): void {
    const run = change.action === 'delete' ? this.#queue.first?.run : undefined
    if (!run) return
    if (isChangeOf(change, 'users') && change.before) run.connected.delete(change.before.user_id)
    if (isChangeOf(change, 'connections') && change.before?.provider === run.provider) {
      run.connected.delete(change.before.user_id)
    }
  }

  /** Returns whether an import is waiting for an earlier one to end. */
  isQueued(id: string): boolean {
    return !this.hasEnded(id) && this.#current()?.run.id !== id
  }

  /** Returns the events that will end the queued imports, in order. */
  queuedEvents(): DueEvent[] {
    const runs = this.#queue.list().map(({ run }) => run)
    const [current, ...queued] = runs.filter(({ status }) => status === 'in_progress')
    let free = current?.ends ?? 0
    return queued.map((run) => {
      moveTo(free, run)
      free = run.ends
      return { at: run.ends, type: 'import.end', subject: run.id }
    })
  }

  /** Returns the operations, newest first. Returns the same array until a submission or restore. */
  newestFirst(): readonly CurrentImport[] {
    this.catchUp()
    this.#newestFirst ??= [...this.#runs.values()].reverse()
    return this.#newestFirst
  }

  /** Returns the state for a snapshot. */
  snapshot(): ImportRun[] {
    this.queuedEvents()
    return [...this.#runs.values()].map(importState)
  }

  /** Restores a snapshot's state. */
  restore(snapshot: readonly ImportRun[]): void {
    // Copy the operations, because they change while they run.
    const runs = structuredClone(snapshot).map((run) => ({
      ...run,
      // Snapshots from earlier versions may contain imports that end before they begin.
      begins: Math.min(run.begins, run.ends),
      connected: new Set(run.connected),
    }))
    this.#runs.clear()
    this.#newestFirst = undefined
    for (const run of runs) this.#runs.set(run.id, run)
    const queued = runs.filter(({ status }) => status === 'in_progress')
    this.#queue = new Fifo(queued.map((run) => ({ run, cause: undefined })))
    this.#lastEnd = queued.at(-1)?.ends ?? 0
  }

  /** Returns the operation being processed. Removes the finished operations ahead of it from the queue. */
  #current(): QueuedImport | undefined {
    while (this.#queue.first && this.#queue.first.run.status !== 'in_progress') this.#queue.shift()
    return this.#queue.first
  }

  /** Starts the next operation. `free` is the time at which the previous operation ended. */
  #beginNext(free: number): void {
    const next = this.#current()
    if (!next) return
    const { run, cause } = next
    moveTo(free, run)
    if (run.ends === run.submitted) return
    const { clock } = this.#team
    clock.schedule({ at: run.ends, type: 'import.end', subject: run.id, cause })
  }

  /** Imports up to `most` due connections, and ends the operation if it is complete. */
  #process(run: CurrentImport, most: number): void {
    const { clock } = this.#team
    const each = timePerConnection(run)
    const end = run.processed + Math.min(this.#dueOf(run), most)
    for (; run.processed < end; run.processed += 1) {
      this.#import(run, present(run.recipes[run.processed]), each)
    }
    if (run.processed === run.total && clock.moment >= run.ends) this.#end(run, 'success', run.ends)
  }

  /** Returns the number of connections that are due but have not been processed. */
  #dueOf(run: CurrentImport | undefined): number {
    if (!run) return 0
    const { moment } = this.#team.clock
    const elapsed = Math.floor((moment - run.begins) / timePerConnection(run))
    const due = moment >= run.ends ? run.total : Math.max(0, elapsed)
    return due - run.processed
  }

  #import(run: CurrentImport, recipe: ConnectionRecipe, each: number): void {
    const { users, connections } = this.#team
    const user = users.get(recipe.user_id)
    if (!user) {
      run.failed.push(recipe.user_id)
      return
    }
    // Use the id from the user's record: the request's string would keep the whole body in memory.
    const { user_id } = user
    const { provider_id, oauth_scopes } = recipe
    const created_at = dateTime(run.begins + (run.processed + 1) * each)
    const { provider } = run
    if (!connections.has(user_id, provider)) run.connected.add(user_id)
    const scopes = oauth_scopes ?? null
    const connection = { user_id, provider, provider_id, oauth_scopes: scopes, created_at }
    this.#team.withoutEvents(() => connections.put(connection))
    run.imported.push(user_id)
  }

  #end(run: CurrentImport, status: BulkOpStatus, moment: number): void {
    run.status = status
    // An import aborted while queued never begins.
    run.begins = Math.min(run.begins, moment)
    run.ends = moment
    run.recipes = []
    this.#emitConnections(run.provider, [...run.connected], moment)
    run.connected = new Set()
    this.#team.clock.settle(run.id)
  }
}
