import type { Recent } from '../../../src/shared/memo.ts'
import type { Bucket } from '../../query/calendar.ts'
import type { Table } from '../../query/table.ts'
import { runAtOnce, type Slices } from '../../shared/slices.ts'
import { day } from '../../shared/time-units.ts'
import type { ValuePort } from '../../state/ports.ts'
import { deviceOf, devicesOf } from '../devices/devices.ts'
import { dateAt, healthTable, historyOf, knownBefore } from '../history/health-table.ts'
import type { LivingPerson } from '../person/life.ts'
import type { SleepStage } from '../plan/day-plan.ts'
import { reportedStages } from '../reports/records.ts'
import { type LifeFacts, personOf } from './people.ts'

/** The estimated time to generate a date's data, in microseconds. */
export const dateWork = 2000

/** Identifies a user's generated table, which contains the data before a given time. */
interface GeneratedTable {
  userId: string
  resource: string
  moment: number
}

export interface GeneratedPart {
  /** Selects the days in this span of local time. Default: the whole history. */
  span?: Bucket
  /** How many days to select, counting back from the latest day. Default: the whole history. */
  days?: number
  /** The provider whose device supplies the data. Default: all of the persona's default providers. */
  provider?: string
}

export interface SleepSession {
  id: string
  provider: string
  /** The local wake-up time, in milliseconds as if it were UTC. */
  end: number
}

/** Returns the facts about a user's life, or undefined for an unknown user. */
export type FactsOf = (userId: string) => LifeFacts | undefined

/** Generates users' health data from the seed and the facts about their lives. */
export class GeneratedData {
  readonly #team: ValuePort
  readonly #tables: Recent<string, Table>
  readonly #factsOf: FactsOf

  constructor(team: ValuePort, tables: Recent<string, Table>, factsOf: FactsOf) {
    this.#team = team
    this.#tables = tables
    this.#factsOf = factsOf
  }

  /** Returns a copy with different facts. The copy uses the current seed even if the team's seed changes later. */
  withFacts(factsOf: FactsOf): GeneratedData {
    const { random, clock, settings } = this.#team
    return new GeneratedData({ random, clock, settings }, this.#tables, factsOf)
  }

  zoneOf(userId: string): string {
    return this.#factsOf(userId)?.time_zone ?? this.#team.settings.timeZone
  }

  personOf(userId: string): LivingPerson {
    return personOf(userId, this.#factsOf(userId), this.#team)
  }

  /** Returns a user's data before the given time. */
  generated(userId: string, resource: string, moment: number, part: GeneratedPart = {}): Table {
    const { name, make, isPast } = this.#generation(userId, resource, moment, part)
    const table = this.#tables.get(name, () => runAtOnce(make()))
    return isPast ? table : knownBefore(table, moment)
  }

  /** Generates a table in slices and caches it for {@link GeneratedData.generated}. */
  async prepare(
    { userId, resource, moment, ...part }: GeneratedPart & GeneratedTable,
    slices: Slices,
  ): Promise<void> {
    const { name, make } = this.#generation(userId, resource, moment, part)
    if (this.#tables.has(name)) return
    const table = await slices.run(make(), dateWork)
    slices.check()
    this.#tables.get(name, () => table)
  }

  /**
   * Returns a table's cache key, a function that generates the table, and whether the table ends before the date of
   * `moment`.
   */
  #generation(userId: string, resource: string, moment: number, part: GeneratedPart) {
    const { span, days, provider } = part
    const person = this.personOf(userId)
    const last = dateAt(person, moment)
    const history = historyOf(resource, last, span)
    const first = days === undefined ? history.first : Math.max(history.first, last - days + 1)
    const { persona, sex, born, zone } = person
    const { seed } = this.#team.random.state()
    const lived = [seed, userId, persona.name, sex, born, zone]
    const name = ['generated', ...lived, resource, provider, first, history.last].join('/')
    const make = () => {
      const devices =
        provider === undefined ? devicesOf(person) : [deviceOf(person, provider, resource)]
      return healthTable(resource, person, devices, { first, last: history.last })
    }
    return { name, make, isPast: history.last < last }
  }

  /** Returns the stages of a sleep session, or undefined if the session was not generated. */
  reportedStages(
    userId: string,
    { id, provider, end }: SleepSession,
  ): readonly SleepStage[] | undefined {
    const person = this.personOf(userId)
    const date = Math.floor(end / day)
    return reportedStages(person, deviceOf(person, provider, 'sleep'), { id, date })
  }
}
