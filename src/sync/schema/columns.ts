import { type AnySchema, strictFormOf } from '../../contract/schema-tools/schema.ts'
import { definitionInside, shapeOf, unwrap } from '../../contract/schema-tools/walk.ts'

export type SqlType =
  | 'text'
  | 'uuid'
  | 'double precision'
  | 'boolean'
  | 'timestamptz'
  | 'date'
  | 'jsonb'

export interface SqlColumn {
  /** The field's name, prefixed with the names of its parent objects. */
  readonly name: string
  readonly type: SqlType
  readonly path: readonly string[]
}

/** Fields that contain times. The contract declares some of them as strings without a format. */
const times = new Set([
  ...[
    'created_at',
    'updated_at',
    'timestamp',
    'start',
    'end',
    'last_sync_at',
    'start_at',
    'end_at',
  ],
  ...['bedtime_start', 'bedtime_stop', 'time_start', 'time_end', 'session_start', 'session_end'],
])

/** Fields that contain days in the form `YYYY-MM-DD`. */
const days = new Set(['calendar_date', 'birth_date', 'dob'])

const reserved = new Set(['id', 'user_id', 'source'])

export function sqlColumnsOf(record: AnySchema): SqlColumn[] {
  return Object.entries(shapeOf(record))
    .filter(([name]) => !reserved.has(name))
    .flatMap(([name, schema]) => columnsOfField([name], schema))
}

export function sqlColumn(name: string, type: SqlType): SqlColumn {
  return { name, type, path: [name] }
}

function columnsOfField(path: readonly string[], field: AnySchema): SqlColumn[] {
  const schema = strictForm(field)
  const fields = Object.entries(shapeOf(schema))
  if (fields.length > 0) {
    return fields.flatMap(([name, inner]) => columnsOfField([...path, name], inner))
  }
  return [{ name: path.join('_'), type: typeOf(path, schema), path }]
}

function strictForm(schema: AnySchema): AnySchema {
  const inner = unwrap(schema) ?? schema
  const strict = strictFormOf(inner)?.schema
  return strict ? strictForm(strict) : inner
}

function typeOf(path: readonly string[], schema: AnySchema): SqlType {
  const { type } = definitionInside(schema)
  const name = path.at(-1) ?? ''
  if (type === 'number' || type === 'int') return 'double precision'
  if (type === 'boolean') return 'boolean'
  if (type !== 'string' && type !== 'enum') return 'jsonb'
  if (times.has(name)) return 'timestamptz'
  return days.has(name) ? 'date' : 'text'
}
