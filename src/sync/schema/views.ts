import { sampleForms } from '../../contract/values/samples.ts'
import { keysOf } from '../../shared/narrow.ts'

/** The resources with a `best_…` view, and the sort order for providers with the same rank. */
const daily = {
  sleep: `best."type" is distinct from 'long_sleep', best."total" desc nulls last`,
  activity: 'best."steps" desc nulls last',
  body: 'best."created_at" desc nulls last',
} as const

/** SQL for the time zone offset of a sample's user. Offsets of 24 hours or more are invalid and treated as 0. */
const userOffset =
  'make_interval(secs => case when abs(timezone_offset) < 86400 then timezone_offset else 0 end)'

/** Returns SQL for an array's elements. Treats any other value as an empty array. */
function elementsOf(column: string): string {
  return `jsonb_array_elements(case when jsonb_typeof(${column}) = 'array' then ${column} else '[]' end)`
}

/**
 * Returns SQL for a stage's offset. The offset is null unless the value is a number from 0 to 172,800 (two days in
 * seconds), so `hypnogram_minutes` has no rows for a stage with an invalid offset.
 */
function nightOffset(value: string): string {
  const seconds = `case when jsonb_typeof(${value}) = 'number' then (${value})::numeric end`
  return `make_interval(secs => case when ${seconds} between 0 and 172800 then (${value})::float8 end)`
}

export function viewStatements(schema: string): string[] {
  return [
    ...keysOf(daily).flatMap((table) => bestOf(table, schema)),
    `create or replace view ${schema}.local_samples as
select
  (samples."timestamp" at time zone 'UTC') + ${userOffset} as local_time,
  ((samples."timestamp" at time zone 'UTC') + ${userOffset})::date as local_date,
  samples.*
from ${schema}.samples`,
    `comment on view ${schema}.local_samples is 'Samples with the user''s local time and date. Uses UTC if timezone_offset is missing or invalid (24 hours or more in either direction).'`,
    `create or replace view ${schema}.hypnogram_minutes as
select cycle.id, cycle.user_id, cycle.source_provider, cycle.calendar_date, minute.at as minute, stage.name #>> '{}' as stage
from ${schema}.sleep_cycles cycle
cross join lateral rows from (
  ${elementsOf('cycle.stage_start_offset_second')},
  ${elementsOf('cycle.stage_end_offset_second')},
  ${elementsOf('cycle.stage_type')}
) as stage (starts, ends, name)
cross join lateral generate_series(
  cycle.session_start + ${nightOffset('stage.starts')},
  cycle.session_start + ${nightOffset('stage.ends')} - interval '1 second',
  interval '1 minute'
) as minute (at)`,
    `comment on view ${schema}.hypnogram_minutes is 'The sleep stage in each minute of a night.'`,
    `create or replace view ${schema}.order_results as
select orders.id as order_id, orders.user_id, found.position,
  found.result ->> 'name' as name, found.result ->> 'slug' as slug,
  found.result ->> 'result' as result, found.result ->> 'result_type' as result_type,
  found.result ->> 'unit' as unit, found.result as record
from ${schema}.orders
cross join lateral ${elementsOf('orders.results')} with ordinality as found (result, position)`,
    `comment on view ${schema}.order_results is 'The results of lab orders, one row each (specification part 9; fields assumed).'`,
    ...keysOf(sampleForms).flatMap((resource) => samplesOf(resource, schema)),
  ]
}

function bestOf(table: keyof typeof daily, schema: string): string[] {
  const name = `${schema}.best_${table}`
  return [
    `create or replace view ${name} as
select distinct on (best.user_id, best.calendar_date) best.*
from ${schema}.${table} best
left join ${schema}.source_priorities priority on priority.provider = best.source_provider
order by best.user_id, best.calendar_date, priority.rank nulls last, ${daily[table]}, best.id`,
    `comment on view ${name} is 'One row of ${table} per user and day, from the provider that comes first in source_priorities.'`,
  ]
}

function samplesOf(resource: keyof typeof sampleForms, schema: string): string[] {
  const form: { unit: string; isInterval?: true; values?: object } = sampleForms[resource]
  const values = Object.keys(form.values ?? { value: 0 }).map((value) =>
    resource === 'note' && value === 'value' ? 'value_text as value' : `"${value}"`,
  )
  const columns = [
    ...['user_id', '"timestamp"', ...(form.isInterval ? ['"start"', '"end"'] : [])],
    ...values,
    ...['timezone_offset', 'source_provider', 'source_type', 'source_app_id'],
  ]
  const name = `${schema}.samples_${resource}`
  const unit = form.unit === '' ? '' : ` in ${form.unit}`
  return [
    `create or replace view ${name} as
select ${columns.join(', ')}
from ${schema}.samples where resource = '${resource}'`,
    `comment on view ${name} is 'Samples of ${resource}${unit}.'`,
  ]
}
