import * as z from 'zod/mini'
import { endpoint } from './schema/endpoint.ts'
import { answered, date, maybe, uuid } from './schema/schema.ts'
import { Source } from './source.ts'

/** A summary of a user's health data (specification 2.9); the fields of its kind stand beside these. */
export interface Summary {
  id?: string | null | undefined
  user_id?: string | null | undefined
  source: Source
  /** `YYYY-MM-DD`. */
  calendar_date?: string | null | undefined
  /** Further fields of the summary's kind. */
  [field: string]: unknown
}
export const Summary = z.looseObject({
  id: maybe(z.string()),
  user_id: maybe(answered.uuid),
  source: Source,
  calendar_date: maybe(answered.date),
})

/** The profile summary (specification 2.9). */
export interface ProfileSummary {
  id?: string | null | undefined
  /** `YYYY-MM-DD`. */
  date?: string | null | undefined
  /** Presumed unit: centimetres. */
  height?: number | null | undefined
  source: Source
  user_id?: string | null | undefined
  /** Further fields. */
  [field: string]: unknown
}
export const ProfileSummary = z.looseObject({
  id: maybe(z.string()),
  date: maybe(z.string()),
  height: maybe(z.number()),
  source: Source,
  user_id: maybe(answered.uuid),
})

/** What `summaries.list` answers for each resource (specification 4.12; shapes as presumed). */
export interface SummaryAnswers {
  activity: { activity: Summary[] }
  body: { body: Summary[] }
  meal: { meals: Summary[] }
  profile: ProfileSummary
  sleep: { sleep: Summary[] }
  workouts: { workouts: Summary[] }
}
export const SummaryAnswers = {
  activity: z.object({ activity: z.array(Summary) }),
  body: z.object({ body: z.array(Summary) }),
  meal: z.object({ meals: z.array(Summary) }),
  profile: ProfileSummary,
  sleep: z.object({ sleep: z.array(Summary) }),
  workouts: z.object({ workouts: z.array(Summary) }),
}

/** Which summaries to list (specification 4.12; parameters as presumed). */
export interface SummaryQuery {
  /** First day, `YYYY-MM-DD`, inclusive. */
  start_date: string
  /** Last day, `YYYY-MM-DD`, inclusive. */
  end_date?: string | null | undefined
  /** Only data of this provider. */
  provider?: string | null | undefined
}
export const SummaryQuery = z.object({
  start_date: date,
  end_date: maybe(date),
  provider: maybe(z.string()),
})

const facts = {
  id: 'summaries.list',
  method: 'GET',
  spec: '4.12',
  effect: 'read',
  params: { user_id: uuid },
  query: SummaryQuery,
} as const

/** The endpoint of each resource; they differ in path and answer only. */
export const listSummaries = {
  activity: endpoint({
    ...facts,
    path: '/v2/summary/activity/{user_id}',
    responses: { 200: SummaryAnswers.activity },
  }),
  body: endpoint({
    ...facts,
    path: '/v2/summary/body/{user_id}',
    responses: { 200: SummaryAnswers.body },
  }),
  meal: endpoint({
    ...facts,
    path: '/v2/summary/meal/{user_id}',
    responses: { 200: SummaryAnswers.meal },
  }),
  profile: endpoint({
    ...facts,
    path: '/v2/summary/profile/{user_id}',
    responses: { 200: SummaryAnswers.profile },
  }),
  sleep: endpoint({
    ...facts,
    path: '/v2/summary/sleep/{user_id}',
    responses: { 200: SummaryAnswers.sleep },
  }),
  workouts: endpoint({
    ...facts,
    path: '/v2/summary/workouts/{user_id}',
    responses: { 200: SummaryAnswers.workouts },
  }),
}
