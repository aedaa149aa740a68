import { assertSuccess } from '../../assertions.ts'
import { updateInfo } from '../../operations.ts'
import type { TestedService } from '../../service.ts'

/** Stores user info and returns the response body. */
export async function storeInfo(
  service: TestedService,
  user_id: string,
  body: Record<string, unknown>,
): Promise<unknown> {
  return assertSuccess(await service.call(updateInfo, { params: { user_id }, body })).json
}
