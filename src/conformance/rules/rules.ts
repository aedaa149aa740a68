import { operationRules } from './part-4.ts'
import { recordRules } from './parts-2-and-3.ts'
import { laterRules } from './parts-5-to-9.ts'
import type { Rule } from './rule.ts'

/** The rules of parts 2 to 9, in the order of the specification. */
export const specificationRules: readonly Rule[] = [
  ...recordRules,
  ...operationRules,
  ...laterRules,
]
