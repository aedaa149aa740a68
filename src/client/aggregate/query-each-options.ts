import type { Issue } from '../../contract/schema-tools/check.ts'
import { findIterableIssues, findOptionIssues } from '../options/check-options.ts'
import { type RequestOptions, requestOptionRules } from '../options/request-options.ts'
import { callbackRule, type OptionRules, oneOf, positiveInteger } from '../options/rules.ts'
import type { UserIds } from './user-source.ts'

/** The progress of `aggregate.queryEach`. */
export interface QueryEachProgress {
  /** The number of users whose queries succeeded. */
  succeeded: number
  /** The number of users whose queries failed. */
  failed: number
}

/** Options for `aggregate.queryEach`, in addition to the options for every call. */
export interface QueryEachOptions<Format extends 'json' | 'parquet' = 'json' | 'parquet'>
  extends RequestOptions {
  /** The maximum number of in-flight requests plus unread results, at least 1. Default: 4. */
  concurrency?: number | undefined
  /** The format of the results: `json` for tables, `parquet` for archives. Default: `json`. */
  format?: Format | undefined
  /** Called before each user's result is yielded. Errors it throws are ignored. Default: none. */
  onProgress?: ((progress: QueryEachProgress) => void) | undefined
}

const rules: Record<keyof QueryEachOptions, OptionRules[string]> = {
  ...requestOptionRules,
  concurrency: positiveInteger,
  format: oneOf('json', 'parquet'),
  onProgress: callbackRule,
}

export function queryEachIssues(userIds: UserIds, options: QueryEachOptions): Issue[] {
  return [
    ...findIterableIssues('userIds', userIds, 'user ids'),
    ...findOptionIssues(options, rules),
  ]
}
