import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod/mini'
import type { routes } from '../../mock/routes/routes.ts'
import type { ServiceClient } from '../../src/client/client.ts'
import type * as link from '../../src/contract/link.ts'
import type { OperationId } from '../../src/contract/operations.ts'
import type * as summaries from '../../src/contract/summaries.ts'

it('has types that equal the schemas whose name or form differs', () => {
  expectTypeOf<{
    [Name in keyof typeof summaries.SummaryResponses]: z.infer<
      (typeof summaries.SummaryResponses)[Name]
    >
  }>().toEqualTypeOf<summaries.SummaryResponses>()
  expectTypeOf<z.infer<typeof link.AcceptedBulkImportBody>>().toEqualTypeOf<
    Partial<{ [Name in keyof link.BulkImportBody]: string[] | null | undefined }> | null | undefined
  >()
})

type EndpointIds<R extends readonly { endpoint: { id: string } }[]> = R[number]['endpoint']['id']
type MethodIds = {
  [Namespace in keyof ServiceClient &
    string]: `${Namespace}.${keyof ServiceClient[Namespace] & string}`
}[keyof ServiceClient & string]

it('has a route of the mock for every operation', () => {
  expectTypeOf<Exclude<OperationId, EndpointIds<typeof routes>>>().toBeNever()
})

it('has a method of the client for every operation that is not deprecated', () => {
  expectTypeOf<Exclude<OperationId, MethodIds>>().toEqualTypeOf<'labTests.listAll'>()
})
