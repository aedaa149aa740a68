import {
  type CompanyDetails,
  createInsurance,
  type InsuranceInput,
} from '../../src/contract/insurance.ts'
import { inferredPayorCodes, isKnown } from '../../src/contract/values/known-values.ts'
import { ownValue } from '../../src/shared/narrow.ts'
import { badRequest, notFound, unprocessable, type ValidationDetail } from '../http/http-error.ts'
import { invalidValue } from '../http/request/validation.ts'
import { route } from '../http/route.ts'
import { regionalPayorCode } from '../reference-data/payors.ts'
import { makeCompany } from '../reference-data/people.ts'
import { toStoredInsurance } from '../state/collections/insurance.ts'
import type { User } from '../state/records/users.ts'
import type { World } from '../state/world.ts'
import { checkPerson } from './person-rules.ts'

export const insuranceRoutes = [
  route(
    createInsurance,
    ({ params, body }, world) => {
      const { strictInsurance } = world.settings
      if (strictInsurance) checkGuarantor(body)
      const user = world.user(params.user_id)
      if (strictInsurance) checkInfo(user)
      const code = choosePayorCode(body, user, world)
      const stored = toStoredInsurance(body, code, findCompany(code, world))
      world.insurances.create({ user_id: user.user_id, insurance: stored })
      return stored
    },
    ({ body }) => [...checkPerson(body, ['insured']), ...checkPerson(body, ['guarantor'])],
  ),
]

function checkGuarantor({ relationship, guarantor }: InsuranceInput): void {
  if (relationship === 'Self' || guarantor) return
  const loc = ['body', 'guarantor']
  throw unprocessable([{ type: 'missing', loc, msg: 'Field required', input: null }])
}

function checkInfo({ info }: User): void {
  if (!info)
    throw badRequest("The user's information must be stored before insurance can be created")
}

/**
 * Returns the payor code to store: the given code or, for a federal plan, the code of the regional plan (specification
 * 4.1).
 *
 * @throws {HttpError} 422 if neither the user's nor the insured's address has a state.
 */
function choosePayorCode(body: InsuranceInput, { info }: User, { settings }: World): string {
  const { payor_code, insured } = body
  if (!isKnown(inferredPayorCodes, payor_code)) return payor_code
  const state = info?.address.state?.trim() || insured.address.state.trim()
  if (!state) throw unprocessable([missingState(insured.address.state)])
  const code = regionalPayorCode(payor_code, state)
  const region = code.slice(payor_code === 'MEDFED' ? 'MED'.length : 'MAID'.length)
  return ownValue(settings.regionalPayors[payor_code] ?? {}, region) ?? code
}

function missingState(input: string): ValidationDetail {
  const rule = { kind: 'rule', expected: 'a state, from which the plan is inferred' } as const
  return invalidValue(rule, ['body', 'insured', 'address', 'state'], input)
}

function findCompany(code: string, { payors, settings, random }: World): CompanyDetails {
  const payor = payors.get(code)
  if (payor) {
    const { name, address } = payor
    return { name, address: { ...address, second_line: address.second_line ?? '' } }
  }
  if (settings.strictPayors) throw notFound('Payor')
  return makeCompany(random.fork(`payor/${code}`), code)
}
