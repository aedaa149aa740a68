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

function addDay(rows: Rows, sources: readonly SourceSamples[], devices: readonly Device[]): void {
  let next = 0
  for (const { device, samples } of sources) {
    rows.locals.set(samples.locals, next)
    rows.moments.set(samples.moments, next)
    rows.values.set(samples.values, next)
    rows.devices.fill(devices.indexOf(device), next, next + samples.values.length)
    next += samples.values.length
  }
  sortRows(rows)
}

/** Sorts rows by local time, which clocks that change and several devices bring out of order. */
function sortRows(rows: Rows): void {
  const { locals, moments } = rows
  if (locals.every((local, at) => at === 0 || local >= (locals[at - 1] as number))) return
  const order = Uint32Array.from(locals, (_, at) => at).sort((one, other) => {
    const byLocal = (locals[one] as number) - (locals[other] as number)
    return byLocal || (moments[one] as number) - (moments[other] as number) || one - other
  })
  for (const values of Object.values(rows) as (Float64Array | Int32Array)[]) {
    const copy = values.slice()
    for (const [at, row] of order.entries()) values[at] = copy[row] as number
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
