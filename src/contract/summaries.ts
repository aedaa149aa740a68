import * as z from 'zod/mini'
import { factsOf } from './schema/define-endpoint.ts'
import { date, lenient, uuid } from './schema/schema.ts'
import { Source } from './source.ts'
import type { SummaryResource } from './values/known-values.ts'

/** A summary of a user's health data (specification 2.9); it also has the fields of its resource. */
export interface Summary {
  /** The id of the record. The same id later means the same record, updated. */
  id?: string | null | undefined
  /** The user, a UUID. */
  user_id?: string | null | undefined
  /** The provider and device of the data. */
  source: Source
  /** The user's local day, `YYYY-MM-DD`. */
  calendar_date?: string | null | undefined
  /** Further fields of the resource; the specification does not name them. */
  [field: string]: unknown
}
export const Summary = z.looseObject({
  id: z.nullish(z.string()),
  user_id: z.nullish(lenient.uuid),
  source: Source,
  calendar_date: z.nullish(lenient.date),
})

/** The profile summary (specification 2.9). */
export interface ProfileSummary {
  /** The id of the record. */
  id?: string | null | undefined
  /** The day of the record, `YYYY-MM-DD`. */
  date?: string | null | undefined
  /** The height of the user. Assumed unit: centimetres. */
  height?: number | null | undefined
  /** The provider and device of the data. */
  source: Source
  /** The user, a UUID. */
  user_id?: string | null | undefined
  /** Further fields; the specification does not name them. */
  [field: string]: unknown
}
export const ProfileSummary = z.looseObject({
  id: z.nullish(z.string()),
  date: z.nullish(z.string()),
  height: z.nullish(z.number()),
  source: Source,
  user_id: z.nullish(lenient.uuid),
})

/** The response of `summaries.list` by resource (specification 4.12; shapes assumed). */
export interface SummaryResponses {
  /** One record per day. */
  activity: {
    /** The records of the requested days. */
    activity: Summary[]
  }
  /** One record per measurement. */
  body: {
    /** The records of the requested days. */
    body: Summary[]
  }
  /** One record per meal. */
  meal: {
    /** The records of the requested days. */
    meals: Summary[]
  }
  /** The record itself. */
  profile: ProfileSummary
  /** One record per sleep session. */
  sleep: {
    /** The records of the requested days. */
    sleep: Summary[]
  }
  /** One record per workout. */
  workouts: {
    /** The records of the requested days. */
    workouts: Summary[]
  }
}
export const SummaryResponses = {
  activity: z.object({ activity: z.array(Summary) }),
  body: z.object({ body: z.array(Summary) }),
  meal: z.object({ meals: z.array(Summary) }),
  profile: ProfileSummary,
  sleep: z.object({ sleep: z.array(Summary) }),
  workouts: z.object({ workouts: z.array(Summary) }),
}

/** The query of `summaries.list` (specification 4.12; parameters assumed). */
export interface SummaryQuery {
  /** First day, `YYYY-MM-DD`, inclusive. */
  start_date: string
  /** Last day, `YYYY-MM-DD`, inclusive. */
  end_date?: string | null | undefined
  /** The slug of a provider. Default: all providers. */
  provider?: string | null | undefined
}
export const SummaryQuery = z.object({
  start_date: date,
  end_date: z.nullish(date),
  provider: z.nullish(z.string()),
})

/** The endpoint of each resource. They differ in path and response. */
export const listSummaries = {
  activity: summaryEndpoint('activity'),
  body: summaryEndpoint('body'),
  meal: summaryEndpoint('meal'),
  profile: summaryEndpoint('profile'),
  sleep: summaryEndpoint('sleep'),
  workouts: summaryEndpoint('workouts'),
}

function summaryEndpoint<const Resource extends SummaryResource>(resource: Resource) {
  const { path, ...facts } = factsOf('summaries.list')
  return {
    id: 'summaries.list' as const,
    ...facts,
    path: path.replace('{resource}', resource),
    params: { user_id: uuid },
    query: SummaryQuery,
    responses: { 200: SummaryResponses[resource] },
  }
}
