import type { Source } from '../../src/contract/source.ts'
import { deprecations } from '../../src/contract/values/deprecations.ts'
import {
  isKnown,
  type SummaryResource,
  summaryResources,
} from '../../src/contract/values/known-values.ts'
import { present } from '../../src/shared/narrow.ts'
import { pullDays } from '../living/arrivals/habits.ts'
import { rowOf, type Table } from '../query/table.ts'
import { day } from '../shared/time-units.ts'
import { dateTime } from '../state/clock/time.ts'
import { isSent, makeSource } from '../state/collections/source.ts'
import { rowSource, summaryOf } from '../state/health/summaries.ts'
import type { FormPort } from '../state/ports.ts'
import { announcedResources, type Chunk, chunkRows, isSummary, tableName } from './chunk.ts'
import type { EventPort } from './event-port.ts'
import { hypnogramOf, sleepCycleOf } from './sleep-cycles.ts'
import { sampleOf } from './time-series.ts'

/** An event's body, as delivered. */
export type EventBody = {
  /** The event type, such as `daily.data.sleep.created`. */
  event_type: string
} & Record<string, unknown>

/** Returns a data event's type. For hypnograms, it contains `timeseries` instead of `data` (specification part 6). */
export function dataEventType(
  span: 'daily' | 'historical',
  resource: string,
  change: 'created' | 'updated',
): string {
  const kind = resource === 'hypnogram' ? 'timeseries' : 'data'
  return `${span}.${kind}.${resource}.${change}`
}

/** Returns the event that delivers a chunk of new, changed or historical data (specification part 6). */
export function dataEvent(event_type: string, chunk: Chunk, context: EventPort): EventBody {
  const { user_id, provider } = chunk
  const { table, rows } = chunkRows(chunk, context)
  const records = dataOf(chunk, table, rows, context)
  const [first = -1] = rows
  const source =
    first < 0 ? makeSource(provider, 'unknown', context) : rowSource(rowOf(table, first), context)
  const data = dataContent({ event_type, resource: chunk.resource, records, source }, context)
  return { event_type, user_id, data }
}

interface Content {
  event_type: string
  resource: string
  records: readonly object[]
  source: Source
}

/** Returns a data event's `data`: a list of records with their source, or a single summary record. */
export function dataContent(
  { event_type, resource, records, source }: Content,
  context: FormPort,
): object {
  const isHistorical = event_type.startsWith('historical.')
  const [record] = records
  const hasRecord = context.settings.summaryEvents === 'record' && isSummary(resource)
  // A historical event always contains a list.
  if (hasRecord && !isHistorical && record && records.length === 1) return record
  const hasFinal = isHistorical && isSent(deprecations.isFinal, context)
  return { data: records, source, ...(hasFinal ? { is_final: true } : {}) }
}

/**
 * Returns the event that ends a historical pull. It contains no records: consumers request them from the API
 * (assumption).
 */
export function noticeEvent(
  event_type: string,
  { user_id, provider, resource }: Chunk,
  context: EventPort,
): EventBody {
  const { moment } = context.clock
  const start_date = dateTime(moment - pullDays(tableName(resource)) * day)
  const period = { user_id, start_date, end_date: dateTime(moment), provider }
  const final = isSent(deprecations.isFinal, context) ? { is_final: true } : {}
  return { event_type, user_id, data: { ...period, ...final } }
}

/** @param resources The resources to list in the event's `resource_availability`. */
export function connectionEvent(
  user_id: string,
  slug: string,
  context: EventPort,
  resources: readonly string[] = announcedResources(context.providers.get(slug), context),
): EventBody {
  const provider = eventProvider(slug, context)
  return {
    event_type: 'provider.connection.created',
    user_id,
    data: {
      user_id,
      provider,
      ...(isSent(deprecations.connectionSource, context) ? { source: provider } : {}),
      resource_availability: Object.fromEntries(resources.map((name) => [name, availability()])),
    },
  }
}

/** Returns a connection error event. Its fields are an assumption. */
export function connectionErrorEvent(user_id: string, slug: string, context: EventPort): EventBody {
  const event_type = 'provider.connection.error'
  return { event_type, user_id, data: connectionError(user_id, slug, context) }
}

export function connectionError(user_id: string, slug: string, context: EventPort) {
  const error_type = 'token_refresh_failed'
  const message = 'The user has to connect again.'
  if (context.settings.eventEnvelope === 'extended') {
    return { user_id, provider: slug, error_type, message, error_details: null }
  }
  return { user_id, provider: eventProvider(slug, context), error_type, error_message: null }
}

export function eventProvider(slug: string, { providers }: EventPort) {
  const { name = slug, logo = null } = providers.get(slug) ?? {}
  return { name, slug, logo }
}

/** Creates new objects for each body, because tests can modify the bodies that they read. */
function availability() {
  const noScopes = () => ({ required: [], optional: [] })
  const scope_requirements = { user_granted: noScopes(), user_denied: noScopes() }
  return { status: 'available', scope_requirements }
}

function dataOf(
  { user_id, resource }: Chunk,
  table: Table,
  rows: number[],
  context: EventPort,
): object[] {
  const summary = (name: SummaryResource, row: number) =>
    summaryOf(name, { user_id, table, row }, context)
  if (isKnown(summaryResources, resource)) return rows.map((row) => summary(resource, row))
  if (resource === 'sleep_cycle' || resource === 'hypnogram') {
    const cycles = rows.map((row) => {
      const sleep = summary('sleep', row)
      const { id, source } = sleep
      const end = present(table.time[row])
      const session = { id: String(id), provider: String(source.provider), end }
      return sleepCycleOf(sleep, context.data.reportedStages(user_id, session), context.random)
    })
    return resource === 'hypnogram'
      ? cycles.flatMap((cycle) => hypnogramOf(cycle, context))
      : cycles
  }
  return rows.map((row) => sampleOf({ user_id, resource }, table, row, context))
}
