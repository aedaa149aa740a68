import { MockError } from '../../errors.ts'
import { collectionsOf } from '../../state/collections/collections.ts'
import { definitions } from '../../state/records/definitions.ts'
import type { CollectionName } from '../../state/records/paths.ts'
import { type KeyParts, keyPartsOf } from '../../state/records/record-key.ts'
import type { Team } from '../../team.ts'
import type { Handlers } from '../handler.ts'
import type { collections } from '../operations/collections.ts'
import { byOperation } from '../routes.ts'

interface AnyRequest {
  params: Record<string, string>
  query: { last?: number }
  body: Record<string, unknown>
}

// Each operation uses its collection's schemas, so the types of its handler match.
export const collectionsHandlers = byOperation<unknown>(handlersOf) as unknown as Handlers<
  typeof collections
>

function handlersOf(name: CollectionName) {
  const keyOf = (params: Record<string, string>): KeyParts => keyPartsOf(name, params)
  const of = (team: Team) => collectionsOf(team.state)[name]
  return {
    // If `last` is 0, `slice` returns all records.
    list: (team: Team, { query: { last = 0, ...where } }: AnyRequest) =>
      of(team).list(where).slice(-last),
    create: (team: Team, { body }: AnyRequest) => of(team).create(body),
    get: (team: Team, { params }: AnyRequest) => {
      const found = of(team).get(...keyOf(params))
      const { noun } = definitions[name]
      if (!found)
        throw new MockError('unknown_record', `No ${noun} has this key. Use a key from the list.`)
      return found
    },
    update: (team: Team, { params, body }: AnyRequest) => of(team).update(...keyOf(params), body),
    delete: (team: Team, { params }: AnyRequest) => ({
      deleted: of(team).delete(...keyOf(params)),
    }),
  }
}
