import type { Column, Table } from '../../query/table.ts'
import type { Device, DeviceSamples } from '../devices/device-record.ts'

/** The samples that a device took on a day. */
export interface SourceSamples {
  device: Device
  samples: DeviceSamples
}

interface Rows {
  locals: Float64Array
  moments: Float64Array
  values: Float64Array
  /** The index of the device of each row. */
  devices: Int32Array
}

/**
 * Returns the samples of days that follow each other as a table. Written as columns, because objects for so many rows
 * take too long.
 */
export function seriesTable(days: readonly (readonly SourceSamples[])[]): Table {
  const devices = [...new Set(days.flatMap((sources) => sources.map(({ device }) => device)))]
  const lengths = days.map((sources) =>
    sources.reduce((sum, { samples }) => sum + samples.values.length, 0),
  )
  const rows = emptyRows(lengths.reduce((sum, length) => sum + length, 0))
  let from = 0
  for (const [at, sources] of days.entries()) {
    const to = from + (lengths[at] ?? 0)
    addDay(slice(rows, from, to), sources, devices)
    from = to
  }
  return toTable(rows, devices)
}

/** Adds the samples of a day in the order of local time. */
function addDay(rows: Rows, sources: readonly SourceSamples[], devices: readonly Device[]): void {
  const codes = sources.map(({ device }) => devices.indexOf(device))
  const next = sources.map(() => 0)
  for (let at = 0; at < rows.locals.length; at += 1) {
    const source = earliestOf(sources, next)
    // The number of rows is that of the samples.
    const { samples } = sources[source] as SourceSamples
    const from = next[source] as number
    next[source] = from + 1
    rows.locals[at] = samples.locals[from] as number
    rows.moments[at] = samples.moments[from] as number
    rows.values[at] = samples.values[from] as number
    rows.devices[at] = codes[source] as number
  }
  sortRows(rows)
}

/** Returns the source with the earliest next sample. */
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

/** Sorts rows by local time, which clocks that are set back bring out of order. */
function sortRows(rows: Rows): void {
  const { locals, moments } = rows
  if (locals.every((local, at) => at === 0 || local >= (locals[at - 1] as number))) return
  const order = Uint32Array.from(locals, (_, at) => at).sort((one, other) => {
    const byLocal = (locals[one] as number) - (locals[other] as number)
    return byLocal || (moments[one] as number) - (moments[other] as number) || one - other
  })
  const columns: (Float64Array | Int32Array)[] = Object.values(rows)
  for (const values of columns) {
    const copy = values.slice()
    for (let at = 0; at < order.length; at += 1) values[at] = copy[order[at] as number] as number
  }
}

function toTable({ locals, moments, values, devices: codes }: Rows, devices: Device[]): Table {
  const text = (dictionary: readonly string[]): Column => ({ type: 'text', codes, dictionary })
  return {
    time: locals,
    columns: {
      timestamp: { type: 'time', values: locals },
      value: { type: 'number', isInteger: false, values },
      source_provider: text(devices.map(({ provider }) => provider)),
      source_type: text(devices.map(({ type }) => type)),
      source_app_id: { type: 'text', codes: new Int32Array(codes.length).fill(-1), dictionary: [] },
    },
    moments: { timestamp: moments },
    knownAt: moments,
  }
}

function emptyRows(length: number): Rows {
  return {
    locals: new Float64Array(length),
    moments: new Float64Array(length),
    values: new Float64Array(length),
    devices: new Int32Array(length),
  }
}

function slice({ locals, moments, values, devices }: Rows, from: number, to: number): Rows {
  return {
    locals: locals.subarray(from, to),
    moments: moments.subarray(from, to),
    values: values.subarray(from, to),
    devices: devices.subarray(from, to),
  }
}
