import { isKnown } from '../../../../src/contract/values/known-values.ts'
import { day } from '../../../base/time-units.ts'
import { lastSync } from '../../../life/arrivals/moments.ts'
import { deviceOf, devicesOf } from '../../../life/devices/devices.ts'
import { reportedStages } from '../../../life/devices/records.ts'
import { dateAt } from '../../../life/history/dates.ts'
import { healthTable, historyOf, knownBefore } from '../../../life/history/health-table.ts'
import type { Person } from '../../../life/person/person.ts'
import type { SleepStage } from '../../../life/plan/day-plan.ts'
import type { Bucket } from '../../../query/calendar.ts'
import type { Table } from '../../../query/table.ts'
import { type Change, Collection, type CollectionSnapshot } from '../../collection.ts'
import type { Settings } from '../../defaults.ts'
import type { LivingUsers } from '../../living/living-users.ts'
import type { RecordContext } from '../record-context.ts'
import { TableCache } from '../table-cache.ts'
import { arrivedTable } from './arrived-table.ts'
import {
  addRows,
  changeRow,
  type HealthRow,
  type HealthRowInput,
  makeRow,
  queryResources,
  rowsTable,
} from './health-rows.ts'
import { rowTime, timeColumn } from './health-time.ts'
import { type LifeFacts, People } from './people.ts'
import { RowsByUser } from './rows-by-user.ts'

/** Which part of the generated data of a user. */
export interface GeneratedPart {
  /** Only days of this span of local time. Default: the whole history. */
  span?: Bucket
  /** The number of days, the latest one included. Default: the whole history. */
  days?: number
  /** Only data of the user's device of this provider. Default: of the devices that every user has. */
  provider?: string
}

/** A sleep session to look up. */
interface SleepSession {
  id: string
  provider: string
  /** The local time of waking. */
  end: number
}

interface HealthContext extends RecordContext {
  readonly settings: Pick<Settings, 'generatedData' | 'timeZone'>
  readonly users: { get(userId: string): LifeFacts | undefined }
  /** The users whose data keeps arriving. */
  readonly living: Pick<LivingUsers, 'hasArrivals' | 'feedsOf'>
}

/**
 * The health data of a team's users. Every user has data generated from the seed; rows that you add for a user and a
 * resource replace the generated ones.
 */
export class HealthData extends Collection<HealthRow, HealthRowInput> {
  readonly #context: HealthContext
  readonly #tables: TableCache
  readonly #people: People
  readonly #rows: RowsByUser<HealthRow>

  constructor(context: HealthContext, changed: (change: Change) => void) {
    const tables = new TableCache()
    const rows: RowsByUser<HealthRow> = new RowsByUser(() => this.records())
    super({
      name: 'data',
      keyOf: ({ id }) => [id],
      make: (input) => makeRow(input, context, this.zoneOf(input.user_id)),
      changed: (change) => {
        // Changes of this collection are changes of rows.
        for (const row of [change.before, change.after] as (HealthRow | undefined)[]) {
          if (row) tables.delete(ownTable(row.user_id, row.resource))
        }
        rows.update(change)
        changed(change)
      },
    })
    this.#context = context
    this.#tables = tables
    this.#people = new People({
      get random() {
        return context.random
      },
      get settings() {
        return context.settings
      },
      factsOf: (userId) => context.users.get(userId),
    })
    this.#rows = rows
  }

  /**
   * Replaces values of a row, or other fields; values that are not given stay. The row then has a later `updated_at`: the
   * virtual time, or a millisecond after the version before when the clock has not moved.
   *
   * @throws {MockError} `unknown_record` if no row has this id; `invalid_state` for an unknown column.
   */
  override update(id: string, changes: Partial<HealthRow>): HealthRow {
    this.check('update', changes)
    const row = this.get(id)
    return super.update(id, row ? changeRow(row, changes, this.#changeTime(row)) : changes)
  }

  /** Returns the time of a change now; consumers compare it with that of the version before. */
  #changeTime(row: HealthRow): number {
    const { moment } = this.#context.clock
    const { resource, user_id } = row
    const table = rowsTable(resource, [row])
    if (table.time.length === 0) return moment
    const { utc } = rowTime({ resource, user_id, table, row: 0 }, { data: this })
    const before = Date.parse(row.updated_at ?? utc(timeColumn(resource)) ?? '')
    return Math.max(moment, before + 1)
  }

  override restore(snapshot?: CollectionSnapshot): void {
    this.#tables.clear()
    this.#people.clear()
    this.#rows.forget()
    super.restore(snapshot)
  }

  /**
   * Returns the data of a user up to the virtual time; undefined for an unknown resource.
   *
   * @param span A span of local time: generated data may lack rows of other days.
   * @internal
   */
  table(userId: string, resource: string, span?: Bucket): Table | undefined {
    if (!isKnown(queryResources, resource)) return undefined
    const { settings, clock, living } = this.#context
    if (living.hasArrivals(userId)) return this.#arrived(userId, resource)
    const isOwn = !settings.generatedData || this.#rows.has(userId, resource)
    if (!isOwn) return this.generated(userId, resource, clock.moment, { ...(span && { span }) })
    return this.#tables.get(ownTable(userId, resource), () =>
      rowsTable(resource, this.list({ user_id: userId, resource })),
    )
  }

  /** Returns what arrived of a living user, and the rows that a test added. */
  #arrived(userId: string, resource: string): Table {
    const { living, clock } = this.#context
    const feeds = living.feedsOf(userId)
    const added = this.list({ user_id: userId, resource })
    const syncs = feeds.map((feed) => `${feed.number}/${lastSync(feed, clock.moment)}`)
    const name = ['arrived', resource, userId, ...syncs].join('/')
    const table = this.#tables.get(name, () => arrivedTable(feeds, resource, clock.moment))
    return addRows(table, resource, added)
  }

  /**
   * Returns the time zone of a user at home.
   *
   * @internal
   */
  zoneOf(userId: string): string {
    return this.#people.zoneOf(userId)
  }

  /**
   * Returns the person whose health data is generated for a user.
   *
   * @internal
   */
  personOf(userId: string): Person {
    return this.#people.of(userId)
  }

  /**
   * Returns the generated data of a user before a moment, without added rows.
   *
   * @internal
   */
  generated(userId: string, resource: string, moment: number, part: GeneratedPart = {}): Table {
    const { span, days, provider } = part
    const person = this.#people.of(userId)
    const last = dateAt(person, moment)
    const history = historyOf(resource, last, span)
    const first = days === undefined ? history.first : Math.max(history.first, last - days + 1)
    const { persona, sex, born, zone } = person
    const lived = [userId, persona.name, sex, born, zone]
    const name = ['generated', ...lived, resource, provider, first, history.last].join('/')
    const table = this.#tables.get(name, () => {
      const devices =
        provider === undefined ? devicesOf(person) : [deviceOf(person, provider, resource)]
      return healthTable(resource, person, devices, { first, last: history.last })
    })
    return history.last < last ? table : knownBefore(table, moment)
  }

  /**
   * Returns the stages of a generated sleep session; undefined for any other.
   *
   * @internal
   */
  reportedStages(
    userId: string,
    { id, provider, end }: SleepSession,
  ): readonly SleepStage[] | undefined {
    const person = this.#people.of(userId)
    return reportedStages(person, deviceOf(person, provider, 'sleep'), {
      id,
      date: Math.floor(end / day),
    })
  }

  /**
   * Whether rows were added for a user.
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

/** Returns the name of the table of the rows that were added for a user. */
function ownTable(userId: string, resource: string): string {
  return `own/${resource}/${userId}`
}
