import type { Rule } from './rule.ts'
import { part2Rules } from './rules/part-2.ts'
import { part3Rules } from './rules/part-3.ts'
import { part4Rules } from './rules/part-4.ts'
import { part5Rules } from './rules/part-5.ts'
import { part6Rules } from './rules/part-6.ts'
import { part7Rules } from './rules/part-7.ts'
import { part8Rules } from './rules/part-8.ts'
import { part9Rules } from './rules/part-9.ts'

/** The rules of parts 2 to 9, in the order of the specification. */
export const specificationRules: readonly Rule[] = [
  ...part2Rules,
  ...part3Rules,
  ...part4Rules,
  ...part5Rules,
  ...part6Rules,
  ...part7Rules,
  ...part8Rules,
  ...part9Rules,
]
