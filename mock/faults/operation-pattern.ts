import { type OperationId, operationIds } from '../../src/contract/operations.ts'
import { MockError } from '../errors.ts'

/** An operation's id, a namespace such as `link.*`, or `*` for every operation. */
export type OperationPattern = OperationId | `${Namespace<OperationId>}.*` | '*'

type Namespace<Id extends string> = Id extends `${infer Name}.${string}` ? Name : never

const ids: ReadonlySet<string> = new Set(operationIds)

/**
 * Returns a function that matches operations. Only `*` matches a request to an unknown route, which has no operation.
 *
 * @throws {MockError} `unknown_operation` if the pattern matches no operation.
 */
export function operationMatcher(pattern: string): (operation: string | undefined) => boolean {
  if (pattern === '*') return () => true
  if (typeof pattern !== 'string') throw unknownOperation(String(pattern))
  if (ids.has(pattern)) return (operation) => operation === pattern
  const namespace = pattern.endsWith('.*') ? pattern.slice(0, -1) : undefined
  if (namespace && [...ids].some((id) => id.startsWith(namespace))) {
    return (operation) => operation?.startsWith(namespace) ?? false
  }
  throw unknownOperation(pattern)
}

/** @throws {MockError} `unknown_operation` if no operation has this id. */
export function checkOperation(id: string): void {
  if (!ids.has(id)) throw unknownOperation(id)
}

function unknownOperation(name: string): MockError {
  return new MockError(
    'unknown_operation',
    `Unknown operation '${name}'. Use '*', a namespace such as 'link.*', or one of ${[...ids].join(', ')}.`,
  )
}
