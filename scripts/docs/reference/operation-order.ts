import { type Operation, operations } from '../../../src/contract/operations.ts'

/** The operations in the order of the documentation: by namespace, and in a namespace as in the specification. */
export const orderedOperations: readonly Operation[] = Object.values(
  Object.groupBy(operations, ({ id }) => id.replace(/\..*/, '')),
).flatMap((group = []) => group)
