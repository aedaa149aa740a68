import * as z from 'zod/mini'
import { Provider } from '../../../src/contract/link.ts'
import { InsuranceAddress } from '../../../src/contract/people.ts'
import { lenient } from '../../../src/contract/schema-tools/schema.ts'

/** A user's connection to a provider. */
export interface Connection {
  /** The `user_id` of the connected user. */
  user_id: string
  /** The provider's slug, such as `oura`. */
  provider: string
  /** The provider's id for the user. */
  provider_id: string
  /** The granted OAuth scopes, or null if unknown. */
  oauth_scopes: string[] | null
  /** The virtual time of creation, in ISO 8601. */
  created_at: string
}
export const Connection = z.object({
  user_id: z.string(),
  provider: z.string(),
  provider_id: z.string(),
  oauth_scopes: z.nullable(z.array(z.string())),
  created_at: lenient.dateTime,
})

/** A connection to create. Omitted fields are generated. */
export interface ConnectionInput extends Partial<Connection> {
  /** The id of the user to connect. */
  user_id: string
  /** The provider's slug, such as `oura`. */
  provider: string
}
export const ConnectionInput = z.object({
  ...z.partial(Connection).shape,
  user_id: z.string(),
  provider: z.string(),
})

/** A data provider in a team's list (specification 4.9). */
export interface TeamProvider extends Provider {
  /** The source type, such as `device`. Provider lists can be filtered by it. */
  source_type: string
}
export const TeamProvider = z.object({ ...Provider.shape, source_type: z.string() })

/** An insurance company (specification 2.2). */
export interface Payor {
  /** The code that insurance records reference. */
  payor_code: string
  /** The company's name. */
  name: string
  /** The company's postal address. */
  address: InsuranceAddress
}
export const Payor = z.object({
  payor_code: z.string(),
  name: z.string(),
  address: InsuranceAddress,
})
