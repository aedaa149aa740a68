/** A value in Thrift's compact protocol: its type and its bytes. */
export interface Thrift {
  type: number
  bytes: number[]
}

export function varint(value: number | bigint): number[] {
  const bytes: number[] = []
  let rest = BigInt(value)
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return [...bytes, Number(rest)]
}

export function zigzag(value: number | bigint): number[] {
  const whole = BigInt(value)
  return varint(whole < 0n ? -2n * whole - 1n : 2n * whole)
}

export const bool = (value: boolean): Thrift => ({ type: value ? 1 : 2, bytes: [] })
export const i32 = (value: number): Thrift => ({ type: 5, bytes: zigzag(value) })
export const i64 = (value: number | bigint): Thrift => ({ type: 6, bytes: zigzag(value) })

export function binary(content: string | Uint8Array): Thrift {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { type: 8, bytes: [...varint(bytes.length), ...bytes] }
}

/** Encodes a list; `announced` is the length in its header. */
export function list(elements: Thrift[], announced = elements.length): Thrift {
  const type = elements[0]?.type ?? 12
  const head = announced < 15 ? [(announced << 4) | type] : [0xf0 | type, ...varint(announced)]
  return { type: 9, bytes: [...head, ...elements.flatMap(({ bytes }) => bytes)] }
}

/** Encodes a structure: its values by field id; undefined values are omitted. */
export function struct(fields: Record<number, Thrift | undefined>): Thrift {
  let last = 0
  const bytes = Object.entries(fields).flatMap(([id, value]) => {
    if (!value) return []
    const step = Number(id) - last
    last = Number(id)
    const head = step < 16 ? [(step << 4) | value.type] : [value.type, ...zigzag(last)]
    return [...head, ...value.bytes]
  })
  return { type: 12, bytes: [...bytes, 0] }
}

export const parquetTypes = {
  boolean: 0,
  int32: 1,
  int64: 2,
  int96: 3,
  double: 5,
  text: 6,
  fixed: 7,
}
export const encodings = {
  plain: 0,
  rle: 3,
  delta: 5,
  deltaLength: 6,
  deltaText: 7,
  dictionary: 8,
  split: 9,
}
export const codecs = { none: 0, snappy: 1, gzip: 2, brotli: 4, zstd: 6 }

export interface CraftedPage {
  /** 0: data, 2: dictionary, 3: data version 2. */
  type?: number
  count: number
  encoding?: number
  body: number[] | Uint8Array
  /** The uncompressed size in the header. */
  size?: number | undefined
  /** Fields of the page header that are added to or replace the usual ones. */
  fields?: Record<number, Thrift | undefined>
}

/** Encodes a page: its header and its body. */
export function pageOf({
  type = 0,
  count,
  encoding = 0,
  body,
  size,
  fields,
}: CraftedPage): number[] {
  const first = struct({ 1: i32(count), 2: i32(encoding), 3: i32(3), 4: i32(3) })
  const dictionary = struct({ 1: i32(count), 2: i32(0) })
  const second = struct({
    1: i32(count),
    2: i32(0),
    3: i32(count),
    4: i32(encoding),
    5: i32(0),
    6: i32(0),
  })
  const header = struct({
    1: i32(type),
    2: i32(size ?? body.length),
    3: i32(body.length),
    5: type === 0 ? first : undefined,
    7: type === 2 ? dictionary : undefined,
    8: type === 3 ? second : undefined,
    ...fields,
  })
  return [...header.bytes, ...body]
}

/** A group that contains a column. */
export interface CraftedGroup {
  name: string
  repetition: number
  converted?: number | undefined
}

export interface CraftedColumn {
  name?: string
  /** The groups that contain the column, the outermost first. */
  groups?: CraftedGroup[]
  type: number
  /** 0: required, 1: optional, 2: repeated. */
  repetition?: number
  typeLength?: number | undefined
  converted?: number | undefined
  logical?: Thrift | undefined
  codec?: number
  pages?: number[]
  /** The position of the chunk in the footer, instead of its real position. */
  at?: number | undefined
  length?: number | undefined
  statistics?: Thrift | undefined
}

/** Encodes a Parquet file with these columns, which may be inconsistent. */
export function parquetOf(
  rows: number,
  columns: CraftedColumn[],
  fields: Record<number, Thrift | undefined> = {},
): Uint8Array<ArrayBuffer> {
  const bytes = [...new TextEncoder().encode('PAR1')]
  const chunks = columns.map((column, at) => {
    const start = bytes.length
    for (const byte of column.pages ?? []) bytes.push(byte)
    return chunkOf(column, at, rows, start, bytes.length - start)
  })
  const root = struct({ 4: binary('root'), 5: i32(columns.length) })
  const group = struct({ 1: list(chunks), 2: i64(0), 3: i64(rows) })
  return withFooter(
    bytes,
    struct({
      1: i32(2),
      2: list([root, ...columns.flatMap(elementsOf)]),
      3: i64(rows),
      4: list([group]),
      ...fields,
    }).bytes,
  )
}

/** Encodes a file that ends with these bytes as its footer. */
export function withFooter(
  bytes: number[],
  footer: number[] | Uint8Array,
): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(bytes.length + footer.length + 8)
  file.set(bytes)
  file.set(footer, bytes.length)
  new DataView(file.buffer).setUint32(file.length - 8, footer.length, true)
  file.set(new TextEncoder().encode('PAR1'), file.length - 4)
  return file
}

function nameOf({ name }: CraftedColumn, at: number): string {
  return name ?? `c${at}`
}

function elementsOf(column: CraftedColumn, at: number): Thrift[] {
  const { groups = [], type, typeLength, repetition = 0, converted, logical } = column
  const around = groups.map(({ name, repetition, converted }) =>
    struct({
      3: i32(repetition),
      4: binary(name),
      5: i32(1),
      6: converted === undefined ? undefined : i32(converted),
    }),
  )
  const leaf = struct({
    1: i32(type),
    2: typeLength === undefined ? undefined : i32(typeLength),
    3: i32(repetition),
    4: binary(nameOf(column, at)),
    6: converted === undefined ? undefined : i32(converted),
    10: logical,
  })
  return [...around, leaf]
}

function chunkOf(
  column: CraftedColumn,
  index: number,
  rows: number,
  start: number,
  size: number,
): Thrift {
  const { groups = [], type, codec = 0, at = start, length = size, statistics } = column
  const path = [...groups.map(({ name }) => name), nameOf(column, index)]
  const metadata = struct({
    1: i32(type),
    2: list([i32(0)]),
    3: list(path.map((name) => binary(name))),
    4: i32(codec),
    5: i64(rows),
    6: i64(length),
    7: i64(length),
    9: i64(at),
    12: statistics,
  })
  return struct({ 2: i64(0), 3: metadata })
}
