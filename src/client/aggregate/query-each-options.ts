import type { Issue } from '../../contract/schema/check.ts'
import { findIterableIssues, findOptionIssues } from '../options/check-options.ts'
import { type RequestOptions, requestOptionRules } from '../options/request-options.ts'
import { callbackRule, type OptionRules, oneOf, positiveInteger } from '../options/rules.ts'
import type { UserIds } from './user-source.ts'

/** How many users have a result or an error so far. */
export interface QueryEachProgress {
  /** Users with a result. */
  succeeded: number
  /** Users with an error. */
  failed: number
}

/** Options of `aggregate.queryEach`, in addition to the options of every call. */
export interface QueryEachOptions<Format extends 'json' | 'parquet' = 'json' | 'parquet'>
  extends RequestOptions {
  /** The maximum number of concurrent requests, at least 1; also the maximum number of results held. Default: 4. */
  concurrency?: number | undefined
  /** `json` returns tables, `parquet` returns archives. Default: `json`. */
  format?: Format | undefined
  /** Called after every user. Errors that it throws are ignored. Default: none. */
  onProgress?: ((progress: QueryEachProgress) => void) | undefined
}

const rules: Record<keyof QueryEachOptions, OptionRules[string]> = {
  ...requestOptionRules,
  concurrency: positiveInteger,
  format: oneOf('json', 'parquet'),
  onProgress: callbackRule,
}

/** Checks the arguments of `queryEach` except its request. */
export function queryEachIssues(userIds: UserIds, options: QueryEachOptions): Issue[] {
  return [
    ...findIterableIssues('userIds', userIds, 'user ids'),
    ...findOptionIssues(options, rules),
  ]
}
