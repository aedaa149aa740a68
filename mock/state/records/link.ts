import type { Provider } from '../../../src/contract/link.ts'
import type { InsuranceAddress } from '../../../src/contract/people.ts'
import { company } from '../../data/people.ts'
import { dateTime } from '../time.ts'
import type { World } from '../world.ts'

/** A user's connection to a provider. */
export interface Connection {
  user_id: string
  /** The provider's slug. */
  provider: string
  /** The user's id at the provider. */
  provider_id: string
  oauth_scopes: string[] | null
  created_at: string
}

/** A connection to create; what is left out is made up. */
export interface ConnectionInput extends Partial<Connection> {
  user_id: string
  provider: string
}

export function makeConnection(input: ConnectionInput, { random, clock }: World): Connection {
  return {
    provider_id: random.uuid(),
    oauth_scopes: null,
    created_at: dateTime(clock.moment),
    ...input,
  }
}

/** A data provider with the source type by which it is listed (specification 4.9). */
export interface TeamProvider extends Provider {
  source_type: string
}

export function makeProvider(input: Partial<TeamProvider>): TeamProvider {
  const slug = input.slug ?? 'new_provider'
  return {
    slug,
    name: input.name ?? slug,
    description: 'A data provider',
    logo: null,
    auth_type: 'oauth',
    supported_resources: [],
    source_type: 'provider',
    ...input,
  }
}

/** An insurance company (specification 2.2), by the code that insurances name it with. */
export interface Payor {
  payor_code: string
  name: string
  address: InsuranceAddress
}

export function makePayor(input: Partial<Payor>, { random }: World): Payor {
  const payor_code = input.payor_code ?? `P${random.integer(100_000, 999_999)}`
  const { name, address } = company(random.fork(`payor/${payor_code}`), payor_code)
  return { payor_code, name: name ?? payor_code, address: address ?? {}, ...input }
}
