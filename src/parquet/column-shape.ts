import type { SchemaElement, SchemaTree } from 'hyparquet'
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js'
import type { Values } from './encodings.ts'
import { growth, parquetBounds, valueBytes } from './limits.ts'

/** What of the schema matters for the pages of a column. */
export interface ColumnShape extends Values {
  /** The greatest repetition level; 0 where none are written. */
  repetition: number
  /** The greatest definition level; 0 where none are written. */
  definition: number
  /** Lists, maps and structs around each value; 0 for a column that is not nested. */
  depth: number
  /** About how many bytes of memory a decoded value takes, beside its content. */
  valueBytes: number
  /** How many times larger than its bytes its content is in memory. */
  growth: number
}

/** The shape of the column at the end of a path through the schema. */
export function shapeOf(path: SchemaTree[]): ColumnShape {
  const element = (path.at(-1) as SchemaTree).element // a path begins with the root
  const isFlat = path.length === 2 && element.repetition_type !== 'REPEATED'
  const isDecimal = element.converted_type === 'DECIMAL'
  return {
    type: element.type ?? 'BYTE_ARRAY',
    fixedLength: element.type_length ?? 0,
    longest: isDecimal ? parquetBounds.decimalBytes : Number.POSITIVE_INFINITY,
    repetition: getMaxRepetitionLevel(path),
    definition: getMaxDefinitionLevel(path),
    depth: isFlat ? 0 : path.length - 1,
    valueBytes: valueBytes[kindOf(element)],
    growth: growthOf(element),
  }
}

function kindOf({ type, converted_type, logical_type }: SchemaElement): 'text' | 'time' | 'number' {
  if (type?.endsWith('BYTE_ARRAY')) return 'text'
  const isTime = logical_type?.type === 'TIMESTAMP' || type === 'INT96'
  return isTime || /^(?:DATE|TIMESTAMP)/.test(converted_type ?? '') ? 'time' : 'number'
}

function growthOf({ type, converted_type, logical_type }: SchemaElement): number {
  if (!type?.endsWith('BYTE_ARRAY')) return 1
  const isParsed = converted_type === 'JSON' || logical_type?.type.startsWith('GEO')
  return isParsed ? growth.parsed : growth.text
}
