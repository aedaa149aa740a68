import type { Feed } from '../living/arrivals/feed.ts'
import type { FactsOf, GeneratedPart } from '../living/users/generated-data.ts'
import type { LifeFacts } from '../living/users/people.ts'
import type { Table } from '../query/table.ts'
import type { ArrivalFormat, Settings } from '../state/defaults.ts'
import type { SummaryPort } from '../state/ports.ts'
import type { HealthRow } from '../state/records/health-rows.ts'
import type { KnownStage } from './sleep-cycles.ts'

/** The state at the time of an emission, from which its event bodies are created. */
export interface EventPort extends SummaryPort {
  readonly living: { feed(number: number): Feed }
  // Declared here, because the published type of the health data omits these internal methods.
  readonly data: SummaryPort['data'] & {
    generated(userId: string, resource: string, moment: number, part: GeneratedPart): Table
    reportedStages(
      userId: string,
      session: { id: string; provider: string; end: number },
    ): readonly KnownStage[] | undefined
  }
}

/** The facts on which a user's events depend. */
export interface UserFacts extends LifeFacts {
  client_user_id?: string | undefined
}

/** The current state, which determines which events are emitted. */
export interface EmissionPort extends EventPort {
  readonly settings: Settings
  readonly users: { get(userId: string): (UserFacts & { user_id: string }) | undefined }
  readonly living: EventPort['living'] & {
    allFeedsOf(userId: string): Feed[]
    hasLived(userId: string): boolean
    hasArrivals(userId: string): boolean
    /** Returns the format settings that applied when a feed's data arrived. */
    formatAt(feed: Feed, at: number): ArrivalFormat
  }
  readonly data: EventPort['data'] & {
    list(where?: Partial<HealthRow>): HealthRow[]
    hasRows(userId: string): boolean
    /** Returns the health data with the given facts in place of the users' current ones. */
    withFacts(factsOf: FactsOf): EventPort['data']
  }
}
