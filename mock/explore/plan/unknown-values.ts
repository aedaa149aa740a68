import { isObject } from '../../../src/contract/schema/object.ts'
import type { EventBody } from '../../events/bodies.ts'

/** The fields of events whose enumerations can grow (specification part 9). */
const openFields = ['status', 'event_status', 'type', 'state']

const unknownValue = 'not_yet_specified'

/** Returns the body of an event with unknown values in the enumerations of its data. */
export function withUnknownValues(body: EventBody): EventBody {
  return { ...body, data: replaceIn(body['data']) }
}

function replaceIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(replaceIn)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && openFields.includes(name) ? unknownValue : replaceIn(inner),
    ]),
  )
}
