import {
  type ColumnMetaData,
  type FileMetaData,
  parquetSchema,
  type RowGroup,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet'
import { getTreePath } from 'hyparquet/src/schema.js'
import { fileTooLargeError, invalidFileError, unsupportedFileError } from '../archive/errors.ts'
import { type ArchiveLimits, parquetBounds, valueBytes } from '../archive/limits.ts'
import { readMetadata } from './metadata.ts'

export interface Footer {
  metadata: FileMetaData
  schema: SchemaTree
}

/** @throws {ParquetError} when the file is invalid, uses an unsupported feature, or exceeds a limit. */
export function readFooter(file: ArrayBuffer, limits: ArchiveLimits): Footer {
  const { metadata, start } = readMetadata(file)
  const schema = buildSchema(metadata.schema)
  checkRows(metadata, schema.children.length, limits)
  const groups = metadata.row_groups.filter(({ num_rows }) => num_rows > 0)
  for (const group of groups) checkColumns(group, schema)
  checkRanges(groups.flatMap(columnChunksOf), start)
  return { metadata, schema }
}

export function columnChunksOf({ columns }: RowGroup): ColumnMetaData[] {
  return columns.flatMap(({ meta_data }) => meta_data ?? [])
}

export function byteRangeOf(chunk: ColumnMetaData): { start: number; size: number } {
  return {
    start: Number(chunk.dictionary_page_offset || chunk.data_page_offset),
    size: Number(chunk.total_compressed_size),
  }
}

function buildSchema(elements: SchemaElement[]): SchemaTree {
  if (elements.length === 0) throw invalidFileError('it has no schema')
  if (elements.length > parquetBounds.schemaElements) {
    throw unsupportedFileError(`more than ${parquetBounds.schemaElements} columns`)
  }
  const declared = elements.reduce((sum, { num_children = 0 }) => sum + num_children, 1)
  if (declared !== elements.length)
    throw invalidFileError('the number of columns in its schema differs from the declared number')
  const schema = parquetSchema({ schema: elements })
  checkElement(schema, 0)
  const names = new Set(schema.children.map(({ element }) => element.name))
  if (names.size < schema.children.length) throw invalidFileError('two columns have the same name')
  return schema
}

function checkElement({ element, children }: SchemaTree, depth: number): void {
  const { name, type, type_length, converted_type, logical_type } = element
  // Rows and structs become objects, and this name would replace their prototype.
  if (depth > 0 && name === '__proto__') throw unsupportedFileError('a column named __proto__')
  if (depth > parquetBounds.schemaDepth) throw unsupportedFileError('very deeply nested columns')
  for (const child of children) checkElement(child, depth + 1)
  if (children.length > 0 || depth === 0) return
  if (type === undefined) throw unsupportedFileError('a column of an unknown type')
  if (converted_type === 'INTERVAL' || converted_type === 'BSON') {
    throw unsupportedFileError(`the type ${converted_type}`)
  }
  const length = type === 'FIXED_LEN_BYTE_ARRAY' ? (type_length ?? 0) : undefined
  if (length !== undefined && length <= 0)
    throw invalidFileError('a fixed-length column has no length')
  if (logical_type?.type === 'UUID' && length !== 16)
    throw invalidFileError('a UUID column is not 16 bytes wide')
  if (converted_type === 'DECIMAL' && (length ?? 0) > parquetBounds.decimalBytes) {
    throw unsupportedFileError(`decimals of more than ${parquetBounds.decimalBytes} bytes`)
  }
}

function checkRows(
  { row_groups, num_rows }: FileMetaData,
  columns: number,
  { maxTableRows, maxGroupRows, maxGroupBytes }: ArchiveLimits,
): void {
  const counts = row_groups.map((group) => Number(group.num_rows))
  const rows = counts.reduce((sum, count) => sum + count, 0)
  const largest = counts.reduce((most, count) => Math.max(most, count), 0)
  if (rows !== Number(num_rows))
    throw invalidFileError('its row count differs from the total of its row groups')
  if (rows > maxTableRows)
    throw fileTooLargeError('has more rows than', maxTableRows, 'maxTableRows')
  if (largest > maxGroupRows) {
    throw fileTooLargeError('has a row group with more rows than', maxGroupRows, 'maxGroupRows')
  }
  if (largest * columns * valueBytes.reference > maxGroupBytes) throw groupTooLarge(maxGroupBytes)
}

export function groupTooLarge(limit: number): Error {
  return fileTooLargeError('has a row group whose size in memory exceeds', limit, 'maxGroupBytes')
}

/** Checks that each chunk of a row group matches a column of the schema, and that no two chunks match the same one. */
function checkColumns(group: RowGroup, schema: SchemaTree): void {
  const seen = new Set<SchemaTree>()
  for (const { path_in_schema, type } of columnChunksOf(group)) {
    const leaf = getTreePath(schema, path_in_schema).at(-1)
    if (!leaf || leaf.children.length > 0 || leaf.element.type !== type) {
      throw invalidFileError('a column chunk does not match the schema')
    }
    if (seen.has(leaf)) throw invalidFileError('a row group has two chunks for one column')
    seen.add(leaf)
  }
}

/**
 * Checks that chunks end before the footer and do not overlap. If they overlapped, a few bytes could become a huge amount
 * of data.
 */
function checkRanges(chunks: ColumnMetaData[], footer: number): void {
  const ranges = chunks.map(byteRangeOf).sort((one, other) => one.start - other.start)
  let last = 0
  for (const { start, size } of ranges) {
    if (start < last) throw invalidFileError('two column chunks overlap')
    last = start + size
    if (last > footer) throw invalidFileError('a column chunk extends past the start of the footer')
  }
}
