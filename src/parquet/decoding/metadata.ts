import type {
  ColumnChunk,
  ColumnMetaData,
  FileMetaData,
  LogicalType,
  RowGroup,
  SchemaElement,
} from 'hyparquet'
import {
  CompressionCodecs,
  ConvertedTypes,
  FieldRepetitionTypes,
  ParquetTypes,
} from 'hyparquet/src/constants.js'
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js'
import { invalidFileError, unsupportedFileError } from '../archive/errors.ts'
import { parquetBounds } from '../archive/limits.ts'
import { checkThrift } from './thrift.ts'

/** A Thrift structure, with its values keyed by field number. */
type Struct = Readonly<Record<`field_${number}`, unknown>>

/**
 * Reads the metadata at the end of a Parquet file, and checks the type of each field that decoding needs. Ignores
 * statistics, indexes and key-value metadata.
 */
export function readMetadata(file: ArrayBuffer): { metadata: FileMetaData; start: number } {
  const { start, end } = footerOf(file)
  checkThrift(new Uint8Array(file, 0, end), start, parquetBounds.footer)
  const view = new DataView(file, 0, end)
  const footer = deserializeTCompactProtocol({ view, offset: start }) as Struct // its fields have numbers
  const metadata = {
    version: 2,
    schema: structs(footer.field_2).map(schemaElement),
    num_rows: bigint(footer.field_3),
    row_groups: structs(footer.field_4).map(rowGroup),
    metadata_length: end - start,
  }
  return { metadata, start }
}

/** Returns the footer's position. The file ends with the footer's length (4 bytes) and `PAR1`. */
function footerOf(file: ArrayBuffer): { start: number; end: number } {
  const end = file.byteLength - 8
  if (end < 0) throw invalidFileError('it is too short')
  const view = new DataView(file)
  if (view.getUint32(end + 4, true) !== 0x31524150)
    throw invalidFileError('it does not end with PAR1')
  const length = view.getUint32(end, true)
  if (length > end) throw invalidFileError('its footer is longer than the file')
  if (length > parquetBounds.footerBytes) throw invalidFileError('its footer is too long')
  return { start: end - length, end }
}

function schemaElement(raw: Struct): SchemaElement {
  const element = {
    name: text(raw.field_4),
    type: enumerated(ParquetTypes, raw.field_1),
    type_length: readInteger(raw.field_2),
    repetition_type: enumerated(FieldRepetitionTypes, raw.field_3),
    num_children: readInteger(raw.field_5),
    converted_type: enumerated(ConvertedTypes, raw.field_6),
    scale: readInteger(raw.field_7),
    precision: readInteger(raw.field_8),
    logical_type: logicalType(raw.field_10),
  }
  return element as SchemaElement // the decoder treats undefined fields as missing
}

/** The logical types that have no fields, or only fields that are ignored. */
const plainTypes: Readonly<Record<string, Exclude<LogicalType['type'], 'VARIANT'>>> = {
  field_1: 'STRING',
  field_2: 'MAP',
  field_3: 'LIST',
  field_4: 'ENUM',
  field_6: 'DATE',
  field_11: 'NULL',
  field_12: 'JSON',
  field_13: 'BSON',
  field_14: 'UUID',
  field_15: 'FLOAT16',
  field_17: 'GEOMETRY',
  field_18: 'GEOGRAPHY',
}

function logicalType(value: unknown): LogicalType | undefined {
  if (value === undefined) return undefined
  const raw = struct(value)
  if (raw.field_5) {
    const { field_1, field_2 } = struct(raw.field_5)
    return {
      type: 'DECIMAL',
      scale: readInteger(field_1) ?? 0,
      precision: readInteger(field_2) ?? 0,
    }
  }
  if (raw.field_7) return { type: 'TIME', ...timeOf(struct(raw.field_7)) }
  if (raw.field_8) return { type: 'TIMESTAMP', ...timeOf(struct(raw.field_8)) }
  if (raw.field_10) {
    const { field_1, field_2 } = struct(raw.field_10)
    return { type: 'INTEGER', bitWidth: readInteger(field_1) ?? 0, isSigned: field_2 === true }
  }
  if (raw.field_16) throw unsupportedFileError('the type VARIANT')
  const type = Object.entries(plainTypes).find(([field]) => field in raw)?.[1]
  // An unknown logical type is read as its physical type.
  return type && ({ type } as LogicalType) // none of the plain types needs another field
}

function timeOf({ field_1, field_2 }: Struct) {
  const unit = struct(field_2)
  const isAdjustedToUTC = field_1 === true
  if (unit.field_1) return { isAdjustedToUTC, unit: 'MILLIS' as const }
  if (unit.field_2) return { isAdjustedToUTC, unit: 'MICROS' as const }
  if (unit.field_3) return { isAdjustedToUTC, unit: 'NANOS' as const }
  throw invalidFileError('a time has an unknown unit')
}

function rowGroup({ field_1, field_2, field_3 }: Struct): RowGroup {
  return {
    columns: structs(field_1).map(columnChunk),
    total_byte_size: bigint(field_2),
    num_rows: bigint(field_3),
  }
}

function columnChunk({ field_1: path, field_3: metadata }: Struct): ColumnChunk {
  if (path !== undefined) throw unsupportedFileError('columns in other files')
  if (metadata === undefined) throw unsupportedFileError('encrypted columns')
  return { file_offset: 0n, meta_data: columnMetadata(struct(metadata)) }
}

function columnMetadata(raw: Struct): ColumnMetaData {
  const dictionary = raw.field_11
  return {
    type: known(enumerated(ParquetTypes, raw.field_1), 'a type'),
    encodings: [],
    path_in_schema: list(raw.field_3).map(text),
    codec: known(enumerated(CompressionCodecs, raw.field_4), 'a codec'),
    num_values: bigint(raw.field_5),
    total_uncompressed_size: bigint(raw.field_6),
    total_compressed_size: bigint(raw.field_7),
    data_page_offset: bigint(raw.field_9),
    ...(dictionary === undefined ? {} : { dictionary_page_offset: bigint(dictionary) }),
  }
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw unsupportedFileError(`${what} from a newer Parquet version`)
  return value
}

function enumerated<T>(names: readonly T[], value: unknown): T | undefined {
  return names[readInteger(value) ?? -1]
}

function readInteger(value: unknown): number | undefined {
  if (value === undefined || (typeof value === 'number' && Number.isInteger(value))) return value
  throw invalidFileError('a field in its metadata is not an integer')
}

/** Checks a count, length or offset, which must be a non-negative safe integer. */
function bigint(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n && value <= Number.MAX_SAFE_INTEGER) return value
  throw invalidFileError('a count or offset in its metadata is missing or out of range')
}

const decoder = new TextDecoder()

function text(value: unknown): string {
  if (value instanceof Uint8Array) return decoder.decode(value)
  throw invalidFileError('a name in its metadata is missing or invalid')
}

function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw invalidFileError('a list in its metadata is missing or invalid')
}

function structs(value: unknown): Struct[] {
  return list(value).map(struct)
}

function struct(value: unknown): Struct {
  const isStruct = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
  if (isStruct && !Array.isArray(value)) return value as Struct // Thrift has no other objects
  throw invalidFileError('a structure in its metadata is missing or invalid')
}
