import { type SampleForm, sampleFormOf } from '../../../src/contract/values/samples.ts'
import { type Column, columnOf, type Table } from '../../query/table.ts'
import type { Device, DeviceSamples, SampleFields } from '../devices/device-record.ts'

export interface SourceSamples {
  device: Device
  samples: DeviceSamples
}

interface Rows {
  locals: Float64Array
  moments: Float64Array
  values: Float64Array
  /** The device index of each row. */
  devices: Int32Array
  /** The interval lengths in milliseconds. */
  lengths?: Float64Array
  /** The fields of each sample, if samples of the resource have several fields. */
  fields?: (SampleFields | undefined)[]
}

/**
 * Builds a table from samples grouped by day, in date order. Writes columns directly, because creating an object for
 * each row takes too long.
 */
export function seriesTable(resource: string, days: readonly (readonly SourceSamples[])[]): Table {
  const devices = [...new Set(days.flatMap((sources) => sources.map(({ device }) => device)))]
  const lengths = days.map((sources) =>
    sources.reduce((sum, { samples }) => sum + samples.values.length, 0),
  )
  const form = sampleFormOf(resource)
  const rows = emptyRows(
    lengths.reduce((sum, length) => sum + length, 0),
    form,
  )
  let from = 0
  for (const [at, sources] of days.entries()) {
    const to = from + (lengths[at] ?? 0)
    const ofDay = slice(rows, from, to)
    addDay(ofDay, sources, devices)
    rows.fields?.push(...(ofDay.fields ?? []))
    from = to
  }
  return toTable(rows, devices, form)
}

/** Adds a day's samples, ordered by local time. */
function addDay(rows: Rows, sources: readonly SourceSamples[], devices: readonly Device[]): void {
  const codes = sources.map(({ device }) => devices.indexOf(device))
  const next = sources.map(() => 0)
  for (let at = 0; at < rows.locals.length; at += 1) {
    const source = earliestOf(sources, next)
    // There are as many rows as samples, so a sample is left for each row.
    const { samples } = sources[source] as SourceSamples
    const from = next[source] as number
    next[source] = from + 1
    rows.locals[at] = samples.locals[from] as number
    rows.moments[at] = samples.moments[from] as number
    rows.values[at] = samples.values[from] as number
    rows.devices[at] = codes[source] as number
    if (rows.lengths) rows.lengths[at] = samples.lengths?.[from] ?? 0
    if (rows.fields) rows.fields[at] = samples.fields?.[from]
  }
  sortRows(rows)
}

function earliestOf(sources: readonly SourceSamples[], next: readonly number[]): number {
  let earliest = 0
  let least = Number.POSITIVE_INFINITY
  for (let source = 0; source < sources.length; source += 1) {
    const local = sources[source]?.samples.locals[next[source] as number]
    if (local === undefined || local >= least) continue
    earliest = source
    least = local
  }
  return earliest
}

/** Sorts rows by local time. Rows can be out of order after a clock change or a flight. */
function sortRows(rows: Rows): void {
  const { locals, moments } = rows
  if (locals.every((local, at) => at === 0 || local >= (locals[at - 1] as number))) return
  const order = Uint32Array.from(locals, (_, at) => at).sort((one, other) => {
    const byLocal = (locals[one] as number) - (locals[other] as number)
    return byLocal || (moments[one] as number) - (moments[other] as number) || one - other
  })
  const columns: (Float64Array | Int32Array | unknown[])[] = Object.values(rows)
  for (const values of columns) {
    const copy = values.slice()
    for (let at = 0; at < order.length; at += 1) values[at] = copy[order[at] as number] as never // from the same array
  }
}

function toTable({ devices: codes, ...rows }: Rows, devices: Device[], form: SampleForm): Table {
  const { locals, moments, values, lengths } = rows
  const text = (dictionary: readonly string[]): Column => ({ type: 'text', codes, dictionary })
  const ends = (starts: Float64Array) =>
    starts.map((start, row) => start + (lengths?.[row] as number))
  return {
    time: locals,
    columns: {
      timestamp: { type: 'time', values: locals },
      ...(lengths && { end: { type: 'time', values: ends(locals) } }),
      ...(form.values
        ? valueColumns(form.values, rows)
        : { value: { type: 'number', isInteger: false, values } }),
      source_provider: text(devices.map(({ provider }) => provider)),
      source_type: text(devices.map(({ type }) => type)),
      source_app_id: { type: 'text', codes: new Int32Array(codes.length).fill(-1), dictionary: [] },
    },
    moments: { timestamp: moments, ...(lengths && { end: ends(moments) }) },
    knownAt: moments,
  }
}

function valueColumns(
  types: NonNullable<SampleForm['values']>,
  { values, fields = [] }: Omit<Rows, 'devices'>,
): Record<string, Column> {
  const cell = (name: string, row: number) =>
    fields[row]?.[name] ?? (name === 'value' ? (values[row] as number) : null)
  const columns = Object.entries(types).map(([name, type]) => [
    name,
    columnOf(
      type,
      Array.from(values, (_, row) => cell(name, row)),
    ),
  ])
  return Object.fromEntries(columns) as Record<string, Column>
}

function emptyRows(length: number, { isInterval, values }: SampleForm): Rows {
  return {
    locals: new Float64Array(length),
    moments: new Float64Array(length),
    values: new Float64Array(length),
    devices: new Int32Array(length),
    ...(isInterval && { lengths: new Float64Array(length) }),
    ...(values && { fields: [] }),
  }
}

/** Returns a range of the rows: views of the number arrays, and an empty list of fields. */
function slice(rows: Rows, from: number, to: number): Rows {
  const { locals, moments, values, devices, lengths, fields } = rows
  return {
    locals: locals.subarray(from, to),
    moments: moments.subarray(from, to),
    values: values.subarray(from, to),
    devices: devices.subarray(from, to),
    ...(lengths && { lengths: lengths.subarray(from, to) }),
    ...(fields && { fields: [] }),
  }
}
