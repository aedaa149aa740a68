import { recordRules } from './parts-2-and-3.ts'
import { laterRules, operationRules } from './parts-4-to-9.ts'
import type { Rule } from './rule.ts'

/** The rules of parts 2 to 9, in the order of the specification. */
export const specificationRules: readonly Rule[] = [
  ...recordRules,
  ...operationRules,
  ...laterRules,
]
