import { makeCompany } from '../../reference-data/people.ts'
import { checkUser } from '../check-options.ts'
import { dateTime } from '../clock/time.ts'
import type { RecordPort, ValuePort } from '../ports.ts'
import type { Connection, ConnectionInput, Payor, TeamProvider } from '../records/link.ts'

/** @throws {MockError} `unknown_record` if the team has no user with this id. */
export function makeConnection(
  input: ConnectionInput,
  { random, clock, users }: RecordPort,
): Connection {
  checkUser(input.user_id, users)
  return {
    provider_id: random.uuid(),
    oauth_scopes: null,
    created_at: dateTime(clock.moment),
    ...input,
  }
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

export function makePayor(input: Partial<Payor>, { random }: ValuePort): Payor {
  const payor_code = input.payor_code ?? `P${random.integer(100_000, 999_999)}`
  const { name, address } = makeCompany(random.fork(`payor/${payor_code}`), payor_code)
  return { payor_code, name: name ?? payor_code, address: address ?? {}, ...input }
}
