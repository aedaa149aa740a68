import { expect, expectTypeOf, it } from 'vitest'
import {
  type ApiError,
  type ApiErrorCode,
  type BulkImportReport,
  ConnectionError,
  type NotFoundError,
  PaginationError,
  type RateLimitError,
  type RequestValidationError,
  ServiceError,
  type ServiceErrorCode,
  serviceErrorCodes,
  TimeoutError,
} from '../../../src/index.ts'
import { archiveErrorCodes } from '../../../src/parquet/index.ts'

const facts = { operation: 'o', route: 'r', outcome: 'unknown', attempts: [] } as const

it('lists every code once', () => {
  expect(new Set(serviceErrorCodes).size).toBe(serviceErrorCodes.length)
  expect(serviceErrorCodes).toEqual(expect.arrayContaining([...archiveErrorCodes]))
  const errors = [
    new ServiceError('m', facts),
    new ConnectionError(facts),
    new TimeoutError('timeout (1 ms)', facts),
    new PaginationError('last_page', 1, facts),
  ]
  for (const { code } of errors) expect(serviceErrorCodes).toContain(code)
})

it('types the code of each class', () => {
  expectTypeOf<ServiceError['code']>().toEqualTypeOf<ServiceErrorCode>()
  expectTypeOf<ApiError['code']>().toEqualTypeOf<ApiErrorCode>()
  expectTypeOf<NotFoundError['code']>().toEqualTypeOf<'not_found'>()
  expectTypeOf<RateLimitError['code']>().toEqualTypeOf<'rate_limited'>()
  expectTypeOf<RequestValidationError['code']>().toEqualTypeOf<'request_invalid'>()
  // @ts-expect-error a code with a typing mistake
  const isLimited = ({ code }: ServiceError) => code === 'rate_limit'
  expect(isLimited(new ConnectionError(facts))).toBe(false)
})

it('types the reason why an import stopped', () => {
  const errorOf = ({ stopped }: Pick<BulkImportReport, 'stopped'>) => {
    if (stopped?.reason !== 'request_failed') return undefined
    return stopped.error
  }
  expectTypeOf(errorOf).returns.toEqualTypeOf<ServiceError | undefined>()
})
