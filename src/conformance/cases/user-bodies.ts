import { assertRejected } from '../assertions.ts'
import type { Operation } from '../operations.ts'
import type { TestedService } from '../service.ts'

/** Asserts that an endpoint with a user in its path rejects a body; `input` describes the body. */
export async function assertBodyRejected(
  service: TestedService,
  endpoint: Operation,
  body: unknown,
  input: string,
): Promise<void> {
  const user_id = await service.user()
  assertRejected(await service.call(endpoint, { params: { user_id }, body }), input)
}
