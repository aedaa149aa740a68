import { assertSuccess } from '../../assertions.ts'
import { completeInsurance, type Variant } from '../../bodies/people.ts'
import { createInsurance } from '../../operations.ts'
import type { TestedService } from '../../service.ts'

type Body = Record<string, unknown>

/** Returns a valid body with every field. */
export async function insuranceOf(
  service: TestedService,
  variant: Variant,
  changes: Body = {},
): Promise<Body> {
  const [first, second] = await service.payorCodes()
  const payor_code = variant === 'first' ? first : second
  return { payor_code, ...completeInsurance(variant), ...changes }
}

/** Creates an insurance and returns the response body. */
export async function create(
  service: TestedService,
  user_id: string,
  body: Body,
): Promise<unknown> {
  return assertSuccess(await service.call(createInsurance, { params: { user_id }, body })).json
}

/** Creates an insurance of a new user, from a body with changes, and returns the response body. */
export async function createWith(service: TestedService, changes: Body): Promise<unknown> {
  return create(service, await service.user(), await insuranceOf(service, 'first', changes))
}
