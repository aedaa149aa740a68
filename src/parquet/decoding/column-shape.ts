import type { SchemaElement, SchemaTree } from 'hyparquet'
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js'
import { present } from '../../shared/narrow.ts'
import { parquetBounds, stringGrowth, valueBytes } from '../archive/limits.ts'
import type { ValueType } from './encodings.ts'

/** The properties of a column that are needed to check its pages. */
export interface ColumnShape extends ValueType {
  /** The maximum repetition level. If it is 0, pages have no repetition levels. */
  repetition: number
  /** The maximum definition level. If it is 0, pages have no definition levels. */
  definition: number
  /** The column's depth in the schema, or 0 if the column is not nested. */
  depth: number
  /** The estimated memory of a decoded value without its content, in bytes. */
  valueBytes: number
  /** The ratio of the content's size in memory to its size in the file. */
  growth: number
}

export function columnShapeOf(path: SchemaTree[]): ColumnShape {
  const { element } = present(path.at(-1)) // a path begins with the root
  const isFlat = path.length === 2 && element.repetition_type !== 'REPEATED'
  const isDecimal = element.converted_type === 'DECIMAL'
  return {
    type: element.type ?? 'BYTE_ARRAY',
    fixedLength: element.type_length ?? 0,
    longest: isDecimal ? parquetBounds.decimalBytes : Number.POSITIVE_INFINITY,
    repetition: getMaxRepetitionLevel(path),
    definition: getMaxDefinitionLevel(path),
    depth: isFlat ? 0 : path.length - 1,
    valueBytes: valueBytes[columnKindOf(element)],
    growth: element.type?.endsWith('BYTE_ARRAY') ? stringGrowth : 1,
  }
}

function columnKindOf({
  type,
  converted_type,
  logical_type,
}: SchemaElement): 'string' | 'time' | 'number' {
  if (type?.endsWith('BYTE_ARRAY')) return 'string'
  const isTime = logical_type?.type === 'TIMESTAMP' || type === 'INT96'
  return isTime || /^(?:DATE|TIMESTAMP)/.test(converted_type ?? '') ? 'time' : 'number'
}
