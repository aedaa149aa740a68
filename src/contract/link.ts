import * as z from 'zod/mini'
import { endpoint } from './schema/endpoint.ts'
import { answered, integer, maybe, openEnum, presumed, uuid } from './schema/schema.ts'
import {
  type BulkImportProvider,
  type BulkOpStatus,
  bulkImportProviders,
  bulkOpStatuses,
  connectionProviders,
  type Open,
  type ProviderAuthType,
  providerAuthTypes,
} from './values/known-values.ts'
import { type SupportedResource, supportedResources } from './values/resources.ts'

/** A data provider a user can connect to (specification 2.7). */
export interface Provider {
  name: string
  slug: string
  description: string
  /** URL of the logo. */
  logo: string | null
  auth_type?: Open<ProviderAuthType> | null | undefined
  supported_resources?: Open<SupportedResource>[] | null | undefined
}
export const Provider = z.object({
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  logo: z.nullable(z.string()),
  auth_type: maybe(openEnum(providerAuthTypes)),
  supported_resources: maybe(z.array(openEnum(supportedResources))),
})

/** Which providers to list (specification 4.9). */
export interface ProviderQuery {
  /** Only providers of this source type; all of them when absent or null. */
  source_type?: string | null | undefined
}
export const ProviderQuery = z.object({ source_type: maybe(z.string()) })

/**
 * An existing provider connection to import (specification 2.4). Which fields are required is not specified: the
 * types ask for all but `oauth_scopes`, the client sends what it is given.
 */
export interface ConnectionRecipe {
  /** A user of the team; an import never creates users. */
  user_id: string
  access_token: string
  refresh_token: string
  /** The user's id at the provider. */
  provider_id: string
  /** Presumed unit: UNIX epoch seconds; 2147483647 means that the token does not expire. */
  expires_at: number
  oauth_scopes?: string[] | null | undefined
}
export const ConnectionRecipe = z.object({
  user_id: presumed(uuid),
  access_token: presumed(z.string()),
  refresh_token: presumed(z.string()),
  provider_id: presumed(z.string()),
  expires_at: presumed(z.int()),
  oauth_scopes: maybe(z.array(z.string())),
})

/** A bulk import of existing provider connections (specification 4.3). */
export interface BulkImportInput {
  provider: Open<BulkImportProvider>
  /** May be empty. */
  connections: ConnectionRecipe[]
  /** Whether to wait for completion, for up to 20 seconds. Default: false. */
  wait_for_completion?: boolean | undefined
}
export const BulkImportInput = z.object({
  provider: openEnum(bulkImportProviders),
  connections: z.array(ConnectionRecipe),
  wait_for_completion: z.optional(z.boolean()),
})

/** The wire body of a finished bulk import (specification 4.3). */
export interface BulkImportBody {
  user_ids_imported: string[]
  user_ids_failed: string[]
}
export const BulkImportBody = z.object({
  user_ids_imported: z.array(answered.uuid),
  user_ids_failed: z.array(answered.uuid),
})

/** The wire body of an accepted bulk import: may be empty, for the operation goes on. */
export const AcceptedBulkImportBody = z.optional(
  z.nullable(
    z.object({
      user_ids_imported: maybe(z.array(answered.uuid)),
      user_ids_failed: maybe(z.array(answered.uuid)),
    }),
  ),
)

/** The state of one bulk operation (specification 4.3, rule 4; shape as presumed). */
export interface BulkOp {
  type?: string | null | undefined
  status?: Open<BulkOpStatus> | null | undefined
  provider?: string | null | undefined
  /** Connections still to be imported. */
  pending?: number | null | undefined
  /** Connections imported or failed. */
  processed?: number | null | undefined
  started_at?: string | null | undefined
  /** Null while the operation runs. */
  ended_at?: string | null | undefined
}
export const BulkOp = z.object({
  type: maybe(z.string()),
  status: maybe(openEnum(bulkOpStatuses)),
  provider: maybe(z.string()),
  pending: maybe(answered.count),
  processed: maybe(answered.count),
  started_at: maybe(answered.dateTime),
  ended_at: maybe(answered.dateTime),
})

/** One page of bulk operations. */
export interface BulkOpPage {
  data: BulkOp[]
  next_cursor?: string | null | undefined
}
export const BulkOpPage = z.object({ data: z.array(BulkOp), next_cursor: maybe(z.string()) })

/** Which bulk operations to list. */
export interface BulkOpQuery {
  next_cursor?: string | null | undefined
  /** From 1 to 50 (presumed). Default: 10. */
  page_size?: number | undefined
}
export const BulkOpQuery = z.object({
  next_cursor: maybe(z.string()),
  page_size: z.optional(integer(1)),
})

/** What a deregistration answers (specification 4.10). */
export interface DeletedConnection {
  success: boolean
}
export const DeletedConnection = z.object({ success: z.boolean() })

/** Seconds within which a waiting bulk import answers (part 8). */
export const bulkImportWaitSeconds = 20

export const listProviders = endpoint({
  id: 'link.listProviders',
  method: 'GET',
  path: '/v2/providers',
  spec: '4.9',
  effect: 'read',
  query: ProviderQuery,
  responses: { 200: z.array(Provider) },
})

export const deleteConnection = endpoint({
  id: 'link.deleteConnection',
  method: 'DELETE',
  path: '/v2/user/{user_id}/{provider}',
  spec: '4.10',
  effect: 'idempotent',
  params: { user_id: uuid, provider: openEnum(connectionProviders) },
  responses: { 200: DeletedConnection },
})

export const bulkImport = endpoint({
  id: 'link.bulkImport',
  method: 'POST',
  path: '/v2/link/bulk_import',
  spec: '4.3',
  effect: 'unsafe',
  body: BulkImportInput,
  responses: { 200: BulkImportBody, 202: AcceptedBulkImportBody },
  serviceWait: (body: BulkImportInput) =>
    body.wait_for_completion ? bulkImportWaitSeconds * 1000 : 0,
})

export const listBulkOps = endpoint({
  id: 'link.listBulkOps',
  method: 'GET',
  path: '/v2/link/bulk_op',
  spec: '4.3',
  effect: 'read',
  query: BulkOpQuery,
  responses: { 200: BulkOpPage },
})
