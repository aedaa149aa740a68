import * as z from 'zod/mini'
import { definitionInside } from '../../../src/contract/schema-tools/walk.ts'
import { definitions, type RecordInputOf, type RecordOf } from '../../state/records/definitions.ts'
import type { CollectionName } from '../../state/records/paths.ts'
import { typed } from '../../state/records/schemas.ts'
import type { ControlOperation } from '../operation.ts'
import { deletionSchema } from '../operation.ts'
import { byOperation, type CollectionAction, type CollectionOperation } from '../routes.ts'

/** Returns a collection's operations. `typed` is safe here, because the record types match their schemas. */
function operationsOf<Name extends CollectionName>(name: Name) {
  const { noun, record, input } = definitions[name]
  const one = /^[aio]/.test(noun) ? `an ${noun}` : `a ${noun}`
  const output = typed<RecordOf<Name>>(record)
  return {
    list: {
      summary: `Lists the records of type "${noun}"; accepts a filter by field values and a limit`,
      query: typed<Partial<RecordOf<Name>> & { last?: number | undefined }>(
        z.partial(z.object({ ...plainFields(record.shape), last: z.int() })),
      ),
      output: z.array(output),
    },
    create: {
      summary: `Creates ${one}; omitted fields are generated`,
      body: typed<RecordInputOf<Name>>(input),
      output,
    },
    get: { summary: `Returns ${one}`, output },
    update: {
      summary: `Updates fields of ${one}`,
      body: typed<Partial<RecordOf<Name>>>(z.partial(record)),
      output,
    },
    delete: { summary: `Deletes ${one}`, output: deletionSchema },
  } satisfies { [Action in CollectionAction]: ControlOperation }
}

type Collections = {
  [O in CollectionOperation as O['id']]: ReturnType<typeof operationsOf<O['name']>>[O['action']]
}

// `byOperation` returns values for exactly the ids in the type.
export const collections = byOperation<ControlOperation>(operationsOf) as Collections

function plainFields(
  shape: Readonly<Record<string, z.ZodMiniType>>,
): Record<string, z.ZodMiniType> {
  const plain = Object.entries(shape).filter(([, field]) => {
    return ['string', 'number', 'boolean'].includes(definitionInside(field).type ?? '')
  })
  return Object.fromEntries(plain)
}
