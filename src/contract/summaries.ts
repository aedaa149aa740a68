import * as z from 'zod/mini'
import { ownFields } from '../shared/own-fields.ts'
import { factsOf } from './schema-tools/define-endpoint.ts'
import { assumeRequired, lenient, nullishString, uuid } from './schema-tools/schema.ts'
import { ActivitySummary } from './summary-records/activity.ts'
import { BodySummary } from './summary-records/body.ts'
import { MealSummary } from './summary-records/meal.ts'
import { ProfileSummary } from './summary-records/profile.ts'
import { SleepSummary } from './summary-records/sleep.ts'
import { WorkoutSummary } from './summary-records/workout.ts'
import type { SummaryResource } from './values/known-values.ts'

/** The response to `summaries.list`, by resource (specification 4.12; shapes assumed). */
export interface SummaryResponses {
  /** Activity: one record per day. */
  activity: {
    /** The records for the requested days. */
    activity: ActivitySummary[]
  }
  /** Body: one record per measurement. */
  body: {
    /** The records for the requested days. */
    body: BodySummary[]
  }
  /** Meals: one record per meal. */
  meal: {
    /** The records for the requested days. */
    meals: MealSummary[]
  }
  /** The profile record itself. */
  profile: ProfileSummary
  /** Sleep: one record per session. */
  sleep: {
    /** The records for the requested days. */
    sleep: SleepSummary[]
  }
  /** Workouts: one record per workout. */
  workouts: {
    /** The records for the requested days. */
    workouts: WorkoutSummary[]
  }
}
export const SummaryResponses = {
  activity: z.object({ activity: z.array(ActivitySummary) }),
  body: z.object({ body: z.array(BodySummary) }),
  meal: z.object({ meals: z.array(MealSummary) }),
  profile: ProfileSummary,
  sleep: z.object({ sleep: z.array(SleepSummary) }),
  workouts: z.object({ workouts: z.array(WorkoutSummary) }),
}

/** The query for `summaries.list` (specification 4.12; parameters assumed). */
export interface SummaryQuery {
  /**
   * The first day, inclusive: a date such as `2025-05-31`, or an ISO 8601 date-time, which selects the user's local day at
   * that time.
   */
  start_date: string
  /** The last day, inclusive, in the same formats as `start_date`. Default: no end. */
  end_date?: string | null | undefined
  /** A provider's slug. Default: all providers. */
  provider?: string | null | undefined
}
export const SummaryQuery = z.object({
  start_date: assumeRequired(lenient.dateOrDateTime),
  end_date: z.nullish(lenient.dateOrDateTime),
  provider: nullishString,
})

/** The query for the profile summary, without dates (specification 4.12; parameters assumed). */
export interface ProfileQuery {
  /** A provider's slug. Default: all providers. */
  provider?: string | null | undefined
}
export const ProfileQuery = z.object({ provider: nullishString })

const userIdPlaces: Record<SummaryResource, string> = {
  activity: 'activity.*.user_id',
  body: 'body.*.user_id',
  meal: 'meals.*.user_id',
  profile: 'user_id',
  sleep: 'sleep.*.user_id',
  workouts: 'workouts.*.user_id',
}

export const listSummaries = {
  activity: summaryEndpoint('activity', SummaryQuery),
  body: summaryEndpoint('body', SummaryQuery),
  meal: summaryEndpoint('meal', SummaryQuery),
  profile: summaryEndpoint('profile', ProfileQuery),
  sleep: summaryEndpoint('sleep', SummaryQuery),
  workouts: summaryEndpoint('workouts', SummaryQuery),
}

function summaryEndpoint<
  const Resource extends SummaryResource,
  Query extends typeof SummaryQuery | typeof ProfileQuery,
>(resource: Resource, query: Query) {
  const { path, ...facts } = factsOf('summaries.list')
  return ownFields({
    id: 'summaries.list' as const,
    ...facts,
    path: path.replace('{resource}', resource),
    params: { user_id: uuid },
    query,
    responses: ownFields({ 200: SummaryResponses[resource] }),
    echoes: { [userIdPlaces[resource]]: 'params.user_id' },
  })
}
