import type { inferredPayorCodes } from '../../src/contract/values/known-values.ts'
import { lazy } from '../../src/shared/memo.ts'
import type { Payor } from '../state/records/link.ts'
import { companyAddress } from './people.ts'
import { places, states } from './places.ts'
import { Random } from './random.ts'

type InferredPayorCode = (typeof inferredPayorCodes)[number]

/** The names of the commercial payors, by code. The names are fictional. The codes look like clearing house codes. */
const commercial: Record<string, string> = {
  '10301': 'Northfield Mutual Health',
  '22087': 'Harborline Insurance',
  '38217': 'Silver Oak Benefits',
  '41102': 'Prairie State Health Cooperative',
  '52133': 'Bluewater Assurance',
  '59069': 'Cascade Family Health',
  '60054': 'Meridian Care Partners',
  '65088': 'Redwood Community Plan',
  '71412': 'Lakeshore Employers Health',
  '80314': 'Summit Choice',
  '87726': 'Great Plains Health Alliance',
  '94036': 'Evergreen Preferred Provider Network',
  AETHN: 'Aethena Life and Health',
  UNIVC: 'Universal Care Trust',
}

const federal: Record<InferredPayorCode, { prefix: string; plan: string }> = {
  MEDFED: { prefix: 'MED', plan: 'Federal Health Plan for the Elderly' },
  MAIDFED: { prefix: 'MAID', plan: 'Federal Health Plan for Low Income' },
}

/** The payors that every team starts with: the commercial payors and the regional plans of every state. */
export const payors = lazy((): readonly Payor[] => [
  ...Object.entries(commercial).map(([payor_code, name]) => payor(payor_code, name)),
  ...Object.values(federal).flatMap(({ prefix, plan }) =>
    Object.entries(states).map(([state, name]) => payor(`${prefix}${state}`, `${plan}, ${name}`)),
  ),
])

/**
 * Returns the code of the regional plan that the service infers (specification 4.1): `MED<STATE>` or `MAID<STATE>`.
 *
 * @param state The state's two-letter code or name, in upper or lower case. An unknown state is converted to upper
 * case.
 */
export function regionalPayorCode(code: InferredPayorCode, state: string): string {
  const trimmed = state.trim()
  const entry = Object.entries(states).find(
    ([, name]) => name.toLowerCase() === trimmed.toLowerCase(),
  )
  return `${federal[code].prefix}${entry?.[0] ?? trimmed.toUpperCase()}`
}

function payor(payor_code: string, name: string): Payor {
  const random = new Random(`payor/${payor_code}`)
  return { payor_code, name, address: companyAddress(random.pick(places), random) }
}
