import { isKnown } from '../../../src/contract/values/known-values.ts'
import { Recent } from '../../../src/shared/memo.ts'
import { arrivedTable } from '../../living/arrivals/arrived.ts'
import { lastSync } from '../../living/arrivals/moments.ts'
import type { LivingPerson } from '../../living/person/life.ts'
import type { SleepStage } from '../../living/plan/day-plan.ts'
import {
  dateWork,
  type FactsOf,
  GeneratedData,
  type GeneratedPart,
  type SleepSession,
} from '../../living/users/generated-data.ts'
import type { LivingUsers } from '../../living/users/living-users.ts'
import type { Bucket } from '../../query/calendar.ts'
import { bytesOf, type Table } from '../../query/table.ts'
import { runAtOnce, type Slices } from '../../shared/slices.ts'
import { momentOfText, versionTime } from '../clock/time.ts'
import { isChangeOf } from '../collections/changes.ts'
import type { RecordCall } from '../collections/check-record.ts'
import {
  Collection,
  type CollectionHooks,
  type CollectionSnapshot,
} from '../collections/collection.ts'
import type { RecordPort } from '../ports.ts'
import type { HealthRow, HealthRowInput } from '../records/health-rows.ts'
import {
  addRows,
  changeRow,
  checkCells,
  makeRow,
  queryResources,
  rowsTable,
} from './health-rows.ts'
import { rowTime, timeColumn } from './health-time.ts'
import { RowsByUser } from './rows-by-user.ts'

/**
 * The health data of a team's users, by default generated from the seed. Rows added for a user and resource replace the
 * generated rows or, for a living user, extend them. `create` also throws `invalid_state` for an unknown resource or
 * column, and `invalid_time` for an invalid time.
 */
export class HealthData extends Collection<HealthRow, HealthRowInput> {
  readonly #team: RecordPort
  readonly #living: LivingUsers
  readonly #tables: Recent<string, Table>
  readonly #generated: GeneratedData
  readonly #rows: RowsByUser<HealthRow>

  constructor(team: RecordPort, living: LivingUsers, hooks: CollectionHooks) {
    // Cache tables: building one takes 5 ms, and events and summaries read the same table several times.
    const tables = new Recent<string, Table>(keptBytes, bytesOf)
    const rows: RowsByUser<HealthRow> = new RowsByUser(() => this.records())
    super({
      ...hooks,
      name: 'data',
      make: (input) => makeRow(input, team, this.zoneOf(input.user_id)),
      changed: (change) => {
        if (isChangeOf(change, 'data')) {
          for (const row of [change.before, change.after]) {
            if (row) tables.delete(ownTableKey(row.user_id, row.resource))
          }
          rows.update(change)
        }
        hooks.changed(change)
      },
    })
    this.#team = team
    this.#living = living
    this.#tables = tables
    this.#generated = new GeneratedData(team, tables, (id) => team.users.get(id))
    this.#rows = rows
  }

  /**
   * Updates a row's values or other fields. Omitted values stay unchanged. By default, `updated_at` becomes later, even
   * if the clock has not moved.
   *
   * @throws {MockError} `unknown_record` if no row has this id; `invalid_state` for an unknown column; `invalid_time`
   * or `invalid_option` for an invalid value.
   */
  override update(id: string, changes: Partial<HealthRow>): HealthRow {
    this.check('update', changes)
    const row = this.get(id)
    return this.replace([id], row ? changeRow(row, changes, this.#changeTime(row)) : changes)
  }

  /** @internal */
  protected override check(call: RecordCall, fields: HealthRowInput | Partial<HealthRow>): void {
    // The schema's error does not name the column.
    checkCells(Object(Object(fields).values))
    super.check(call, fields)
  }

  /** Returns the `updated_at` of a change made now. */
  #changeTime(row: HealthRow): number {
    const { moment } = this.#team.clock
    const { resource, user_id } = row
    const table = rowsTable(resource, [row])
    if (table.time.length === 0) return moment
    const { utc } = rowTime({ resource, user_id, table, row: 0 }, this)
    const before = momentOfText(row.updated_at ?? utc(timeColumn(resource)) ?? '')
    return versionTime(moment, before)
  }

  override restore(snapshot?: CollectionSnapshot): void {
    this.#tables.clear()
    this.#rows.forget()
    super.restore(snapshot)
  }

  /**
   * Returns a user's data up to the virtual time, or undefined for an unknown resource.
   *
   * @param span A span of local time. Outside this span, generated rows may be missing.
   * @internal
   */
  table(userId: string, resource: string, span?: Bucket): Table | undefined {
    if (!isKnown(queryResources, resource)) return undefined
    const { clock } = this.#team
    if (this.#living.hasArrivals(userId)) return this.#arrived(userId, resource)
    if (this.#isGenerated(userId, resource)) {
      return this.generated(userId, resource, clock.moment, { ...(span && { span }) })
    }
    return this.#tables.get(ownTableKey(userId, resource), () =>
      rowsTable(resource, this.list({ user_id: userId, resource })),
    )
  }

  /**
   * Generates a user's data in slices and caches it for {@link HealthData.table}.
   *
   * @internal
   */
  async prepare(userId: string, resource: string, slices: Slices, span?: Bucket): Promise<void> {
    const { clock } = this.#team
    if (!isKnown(queryResources, resource)) return
    if (this.#living.hasArrivals(userId)) {
      const { name, make } = this.#arrival(userId, resource)
      if (this.#tables.has(name)) return
      const arrived = await slices.run(make(), dateWork)
      slices.check()
      this.#tables.get(name, () => arrived)
      return
    }
    if (!this.#isGenerated(userId, resource)) return
    const table = { userId, resource, moment: clock.moment, ...(span && { span }) }
    await this.#generated.prepare(table, slices)
  }

  #isGenerated(userId: string, resource: string): boolean {
    return this.#team.settings.generatedData && !this.#rows.has(userId, resource)
  }

  /** Returns the data that has arrived for a living user, plus the rows that a test added. */
  #arrived(userId: string, resource: string): Table {
    const added = this.list({ user_id: userId, resource })
    const { name, make } = this.#arrival(userId, resource)
    return addRows(
      this.#tables.get(name, () => runAtOnce(make())),
      resource,
      added,
    )
  }

  /** Returns the arrived table's cache key, and a function that builds the table in steps. */
  #arrival(userId: string, resource: string) {
    const { clock } = this.#team
    const { moment } = clock
    const feeds = this.#living.feedsOf(userId)
    const syncs = feeds.map((feed) => `${feed.number}/${lastSync(feed, moment)}`)
    const name = ['arrived', resource, userId, ...syncs].join('/')
    return { name, make: () => arrivedTable(feeds, resource, moment) }
  }

  /**
   * Returns a user's home time zone.
   *
   * @internal
   */
  zoneOf(userId: string): string {
    return this.#generated.zoneOf(userId)
  }

  /**
   * Returns the person whose health data is generated for a user.
   *
   * @internal
   */
  personOf(userId: string): LivingPerson {
    return this.#generated.personOf(userId)
  }

  /**
   * Returns a user's generated data before the given time, without added rows.
   *
   * @internal
   */
  generated(userId: string, resource: string, moment: number, part: GeneratedPart = {}): Table {
    return this.#generated.generated(userId, resource, moment, part)
  }

  /**
   * Returns the stages of a generated sleep session, or undefined for any other session.
   *
   * @internal
   */
  reportedStages(userId: string, session: SleepSession): readonly SleepStage[] | undefined {
    return this.#generated.reportedStages(userId, session)
  }

  /**
   * Returns generated data that is based on the given facts about the users' lives.
   *
   * @internal
   */
  withFacts(factsOf: FactsOf): GeneratedData {
    return this.#generated.withFacts(factsOf)
  }

  /**
   * Returns whether rows were added for a user.
   *
   * @internal
   */
  hasRows(userId: string): boolean {
    return this.#rows.has(userId)
  }

  /** @internal */
  protected override candidates(where: Partial<HealthRow>): readonly HealthRow[] {
    if (where.user_id === undefined) return super.candidates(where)
    return this.#rows.of(where.user_id)
  }
}

function ownTableKey(userId: string, resource: string): string {
  return `own/${resource}/${userId}`
}

/**
 * The maximum total size of the cached tables, in bytes. A per-minute table takes about 1.5 MB, and a daily table about
 * 0.1 MB.
 */
const keptBytes = 32 * 1024 * 1024
