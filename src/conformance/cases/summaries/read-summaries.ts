import type { TestedService } from '../../service.ts'
import { isJsonObject, type ObjectForm } from '../../shape.ts'

/** The source of data (specification 2.8). */
export const sourceForm: ObjectForm = {
  provider: 'string',
  type: 'string',
  'app_id?': 'string',
  'name?': 'string',
  'slug?': 'string',
  'logo?': 'string',
}

/** The resources with summaries. */
export const summarized = ['activity', 'body', 'meal', 'profile', 'sleep', 'workouts'] as const

/** A resource with summaries. */
export type SummarizedResource = (typeof summarized)[number]

/** What a case presumes when it reads summaries. */
export const summaryPath = 'the summaries of a user are a list at the path below the resource'

/** The days of May 2025. */
export const may = { start_date: '2025-05-01', end_date: '2025-05-31' }

/** Returns the summaries of a resource of a user. The profile is a single one. */
export async function readSummaries(
  service: TestedService,
  resource: SummarizedResource,
  user_id: string,
  query: Record<string, string> = may,
): Promise<unknown[]> {
  const { status, json } = await service.call('summaries.list', {
    params: { user_id, resource },
    query,
  })
  const found = resource === 'profile' ? [json] : Object.values(Object(json)).find(Array.isArray)
  service.presume(status < 300 && isJsonObject(json) && found !== undefined, summaryPath)
  return found
}

/** The source of rows. */
export interface RowSource {
  provider: string
  type: string
  app_id: string | null
}

/** A source without an app. */
export const ring = { provider: 'oura', type: 'ring', app_id: null }

/** A source with an app. */
export const watch = { provider: 'fitbit', type: 'watch', app_id: 'com.example.watch' }
