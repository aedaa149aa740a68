import type { Payor } from '../../data/payors.ts'
import { makeCompany } from '../../data/people.ts'
import type { TeamProvider } from '../../data/providers.ts'
import { dateTime } from '../clock/time.ts'
import type { RecordContext } from './record-context.ts'

/** A user's connection to a provider. */
export interface Connection {
  /** The `user_id` of the connected user. */
  user_id: string
  /** The provider's slug, such as `oura`. */
  provider: string
  /** The user's id at the provider. */
  provider_id: string
  /** The granted OAuth scopes; null if the provider reports none. */
  oauth_scopes: string[] | null
  /** Virtual time, ISO 8601. */
  created_at: string
}

/** A connection to create. Omitted fields are generated. */
export interface ConnectionInput extends Partial<Connection> {
  /** The user to connect. */
  user_id: string
  /** The provider's slug, such as `oura`. */
  provider: string
}

/** Makes a connection. */
export function makeConnection(
  input: ConnectionInput,
  { random, clock }: RecordContext,
): Connection {
  return {
    provider_id: random.uuid(),
    oauth_scopes: null,
    created_at: dateTime(clock.moment),
    ...input,
  }
}

/** Makes a provider. */
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

/** Makes a payor, with a generated company. */
export function makePayor(input: Partial<Payor>, { random }: Pick<RecordContext, 'random'>): Payor {
  const payor_code = input.payor_code ?? `P${random.integer(100_000, 999_999)}`
  const { name, address } = makeCompany(random.fork(`payor/${payor_code}`), payor_code)
  return { payor_code, name: name ?? payor_code, address: address ?? {}, ...input }
}
