import type { BulkOp, ConnectionRecipe } from '../../src/contract/link.ts'
import type { BulkOpStatus } from '../../src/contract/values/known-values.ts'
import { MockError } from '../errors.ts'
import { importOf } from '../events/emissions.ts'
import { checkMoment, dateTime, spanOf } from './time.ts'
import type { World } from './world.ts'

/** A bulk import as a persistent background operation (specification 3.2, 4.3). */
export interface BulkImportOp {
  id: string
  provider: string
  status: BulkOpStatus
  /** How many connections were submitted. */
  total: number
  /** How many of them are imported or failed. */
  processed: number
  user_ids_imported: readonly string[]
  user_ids_failed: readonly string[]
  started_at: string
  ended_at: string | null
}

/** What a snapshot keeps of an import. */
export interface ImportRun {
  id: string
  provider: string
  status: BulkOpStatus
  total: number
  processed: number
  imported: string[]
  failed: string[]
  /** Of those imported the ones that were not connected before: events tell of them once the import ends. */
  connected: string[]
  /** Moments, in milliseconds since 1970; an operation begins when those before it have ended. */
  submitted: number
  begins: number
  ends: number
  /** Emptied at the end, which a snapshot and the memory are glad of. */
  recipes: ConnectionRecipe[]
}

/**
 * A team's bulk imports, first in, first out. How far an operation is follows from the clock alone, so that a hundred
 * thousand connections cost one event, and enqueuing never disrupts the operation that runs.
 */
export class Imports {
  readonly #world: World
  /** By id, in the order of their submission. */
  readonly #runs = new Map<string, ImportRun>()
  /** Those that have not ended. */
  #queue: ImportRun[] = []
  #isCatchingUp = false

  constructor(world: World) {
    this.#world = world
  }

  /** Queues an import and gives its id. */
  submit(provider: string, recipes: ConnectionRecipe[]): string {
    const { clock, settings, random } = this.#world
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
    if (ends > submitted) this.#world.schedule('import.end', id, ends)
    this.catchUp()
    return id
  }

  /** Imports whatever is due by now. */
  catchUp(): void {
    // Importing reads the very records that ask for this first.
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

  /** Ends an operation early; what was imported stays, the rest is neither imported nor failed. */
  abort(id: string): BulkImportOp {
    this.catchUp()
    const run = this.#runs.get(id)
    if (run?.status !== 'in_progress') {
      throw new MockError('illegal_transition', 'Expected the id of a bulk import in progress.')
    }
    const { clock } = this.#world
    clock.cancel(id)
    // The events of its end read records, which first bring the queue up to date.
    this.#queue = this.#queue.filter((queued) => queued !== run)
    this.#end(run, 'aborted', clock.moment)
    this.#replan()
    clock.settle()
    return opOf(run)
  }

  /** An import; undefined when there is none of this id. */
  get(id: string): BulkImportOp | undefined {
    this.catchUp()
    const run = this.#runs.get(id)
    return run && opOf(run)
  }

  /** Whether an import has ended. */
  hasEnded(id: string): boolean {
    return this.#runs.get(id)?.status !== 'in_progress'
  }

  /** The operations, the oldest first. */
  list(): BulkImportOp[] {
    this.catchUp()
    return [...this.#runs.values()].map(opOf)
  }

  /** What a snapshot keeps. */
  snapshot(): ImportRun[] {
    return structuredClone([...this.#runs.values()])
  }

  /** Brings back what a snapshot keeps. */
  restore(snapshot: readonly ImportRun[]): void {
    // Runs go on where they are.
    const runs = [...structuredClone(snapshot)]
    this.#runs.clear()
    for (const run of runs) this.#runs.set(run.id, run)
    this.#queue = runs.filter(({ status }) => status === 'in_progress')
  }

  #process(run: ImportRun): void {
    const { clock } = this.#world
    // As it was when the import was submitted.
    const each = (run.ends - run.begins) / run.total
    const elapsed = clock.moment - run.begins
    const due = clock.moment >= run.ends ? run.total : Math.max(0, Math.floor(elapsed / each))
    for (; run.processed < due; run.processed += 1) {
      this.#import(run, run.recipes[run.processed] as ConnectionRecipe, each)
    }
    if (clock.moment >= run.ends) this.#end(run, 'success', run.ends)
  }

  /** A user the team does not have goes to the failed ones; an import never creates users. */
  #import(run: ImportRun, recipe: ConnectionRecipe, each: number): void {
    const { users, connections } = this.#world
    const user = users.get(recipe.user_id)
    if (!user) {
      run.failed.push(recipe.user_id)
      return
    }
    // The text of the user's record, not that of the request, which the lists would keep in memory for ever.
    const { user_id } = user
    const { provider_id, oauth_scopes } = recipe
    const created_at = dateTime(run.begins + (run.processed + 1) * each)
    const { provider } = run
    if (!connections.has(user_id, provider)) run.connected.push(user_id)
    const scopes = oauth_scopes ?? null
    const connection = { user_id, provider, provider_id, oauth_scopes: scopes, created_at }
    this.#world.quietly(() => connections.put(connection))
    run.imported.push(user_id)
  }

  #end(run: ImportRun, status: BulkOpStatus, moment: number): void {
    run.status = status
    run.ends = moment
    run.recipes = []
    for (const emission of importOf(run.provider, run.connected, this.#world)) {
      this.#world.outbox.emit(emission, moment)
    }
    run.connected = []
  }

  /** Moves the operations that wait forward, after one before them ended early. */
  #replan(): void {
    const { clock } = this.#world
    let free = clock.moment
    for (const run of this.#queue) {
      const length = run.ends - run.begins
      // An operation that has begun stays as it is; only the first one can have.
      if (run.begins > clock.moment) run.begins = Math.max(run.submitted, free)
      run.ends = run.begins + length
      free = run.ends
      clock.cancel(run.id)
      this.#world.schedule('import.end', run.id, run.ends)
    }
  }
}

function opOf(run: ImportRun): BulkImportOp {
  const { id, provider, status, total, processed, imported, failed } = run
  const isRunning = status === 'in_progress'
  return {
    id,
    provider,
    status,
    total,
    processed,
    // The lists of an operation that ended never change, and may be long.
    user_ids_imported: isRunning ? [...imported] : imported,
    user_ids_failed: isRunning ? [...failed] : failed,
    started_at: dateTime(run.submitted),
    ended_at: isRunning ? null : dateTime(run.ends),
  }
}

/** An operation as the List Bulk Ops endpoint answers it (specification 4.3, rule 4). */
export function wireOp({ provider, status, total, processed, ...times }: BulkImportOp): BulkOp {
  return {
    type: 'bulk_import',
    status,
    provider,
    pending: total - processed,
    processed,
    started_at: times.started_at,
    ended_at: times.ended_at,
  }
}
