import type { Call, Json, Mutant } from '../mutant.ts'
import { before } from '../mutant.ts'
import { info, insurance } from '../mutants/targets.ts'

const facts = { rule: '4.1/inference', only: ['4.1'] }

/** Infers a plan for codes that are none of the two. */
function infers(name: string, codeOf: (code: string) => string): Mutant {
  return {
    ...facts,
    name,
    between: before(insurance, ({ body }) => {
      const code = codeOf(body.payor_code)
      if (['MEDFED', 'MAIDFED'].includes(code)) body.payor_code = code
    }),
  }
}

interface Patient {
  /** The state of the user's address, and of the first one. */
  state: string
  first: string
  zip: string
  insurances: number
}

/** Infers the plan of another state, or none. */
function plansOf(
  name: string,
  stateOf: (body: Json, patient: Patient) => string | undefined,
): Mutant {
  return {
    ...facts,
    name,
    between: (fetch, key) => {
      const patients = new Map<string, Patient>()
      const userOf = ({ url }: Call) => url.pathname.split('/')[3] ?? ''
      const watch = before(info, (call) => {
        const { state, zip_code: zip } = call.body.address
        const first = patients.get(userOf(call))?.first ?? state
        patients.set(userOf(call), { state, first, zip, insurances: 0 })
      })
      const choose = before(insurance, (call) => {
        const { payor_code } = call.body
        const patient = patients.get(userOf(call))
        if (!patient) return
        patient.insurances += 1
        if (!['MEDFED', 'MAIDFED'].includes(payor_code)) return
        const state = stateOf(call.body, patient)
        const prefix = payor_code.slice(0, -3)
        if (state !== undefined) call.body.payor_code = state === '' ? 'UNLISTED9' : prefix + state
      })
      return choose(watch(fetch, key), key)
    },
  }
}

/** The inference of regional plans from payor codes (specification 4.1). */
export const payors: Mutant[] = [
  infers('infers a plan for codes in lower case', (code) => code.toUpperCase()),
  infers('infers a plan for codes with a capital', (code) =>
    /^[A-Z][a-z]+$/.test(code) ? code.toUpperCase() : code,
  ),
  infers('infers a plan for codes with a suffix', (code) => code.replace(/(?<=FED).+$/, '')),
  infers('infers a plan for codes with a prefix', (code) => code.replace(/^.+(?=M\w+FED$)/, '')),
  infers('infers a plan for codes with a digit', (code) => code.replace(/\d$/, '')),
  infers('infers a plan for codes with a space', (code) => code.trim()),
  infers('infers a plan for codes with a hyphen', (code) => code.replace('-', '')),
  infers('infers a plan for codes with an underscore', (code) => code.replace('_', '')),
  infers('infers a plan for the code without FED', (code) =>
    /^MA?I?E?D$/.test(code) ? `${code}FED` : code,
  ),
  infers('infers a plan for the code FED', (code) => (code === 'FED' ? 'MEDFED' : code)),
  infers('infers a plan for every code that contains MEDFED', (code) =>
    code.includes('MEDFED') ? 'MEDFED' : code,
  ),
  infers('infers a plan for every code that ends with FED', (code) =>
    code.endsWith('FED') && code !== 'MAIDFED' ? 'MEDFED' : code,
  ),
  infers('infers a plan for every code that begins with MAID', (code) =>
    code.startsWith('MAID') ? 'MAIDFED' : code,
  ),
  infers('infers a plan for full-width codes', (code) => code.normalize('NFKC')),
  infers('cuts codes after six letters before it infers a plan', (code) => code.slice(0, 6)),
  infers('reads MAID as MED before it infers a plan', (code) =>
    code === 'MAIDFED' ? 'MEDFED' : code,
  ),
  plansOf(
    'infers the plan from the address of the guarantor',
    (body) => body.guarantor?.address?.state,
  ),
  plansOf('infers the plan from the address of the insured of a spouse', (body) =>
    body.relationship === 'Spouse' ? body.insured.address.state : undefined,
  ),
  plansOf('infers the plan from the first address of a user', (_, { first }) => first),
  plansOf('infers the plan from the first digit of the zip', (_, { zip }) =>
    zip < '5' ? 'NY' : 'CA',
  ),
  plansOf('infers one plan for west and south', (_, { state }) =>
    state === 'TX' ? 'CA' : undefined,
  ),
  plansOf('infers no plan for secondary insurances', ({ is_primary }) =>
    is_primary === false ? '' : undefined,
  ),
  plansOf('infers no plan for the second insurance of a user', (_, { insurances }) =>
    insurances > 1 ? 'AZ' : undefined,
  ),
  plansOf('infers no plan without a group', ({ group_id }) => (group_id ? undefined : 'AZ')),
  plansOf('infers the plan of one state when there is no guarantor', ({ guarantor }) =>
    guarantor ? undefined : 'AZ',
  ),
  plansOf('infers the plan of the insured when the relationship is Other', (body) =>
    body.relationship === 'Other' ? body.insured.address.state : undefined,
  ),
]
