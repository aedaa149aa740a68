import { type Operation, operations } from '../../../src/contract/operations.ts'

/** The operations in documentation order: by namespace, then in the order of the specification. */
export const orderedOperations: readonly Operation[] = Object.values(
  Object.groupBy(operations, ({ id }) => id.replace(/\..*/, '')),
).flatMap((group = []) => group)
