import * as z from 'zod/mini'
import { endpoint } from './schema-tools/define-endpoint.ts'
import {
  assumeRequired,
  lenient,
  nullishString,
  openEnum,
  requiredString,
  uuid,
} from './schema-tools/schema.ts'
import { bulkImportWait } from './values/bounds.ts'
import {
  type BulkOpStatus,
  bulkOpStatuses,
  type Open,
  type ProviderAuthType,
  providerAuthTypes,
} from './values/known-values.ts'
import {
  type BulkImportProvider,
  bulkImportProviders,
  connectionProviders,
} from './values/providers.ts'
import { type SupportedResource, supportedResources } from './values/resources.ts'

/** A data provider that users can connect to (specification 2.7). */
export interface Provider {
  /** The provider's display name. */
  name: string
  /** The provider's identifier, such as `oura`. */
  slug: string
  /** A description of what the provider offers. */
  description: string
  /** The logo's URL. */
  logo: string | null
  /** The authentication type, such as `oauth`. */
  auth_type?: Open<ProviderAuthType> | null | undefined
  /** The resources for which the provider supplies data. */
  supported_resources?: Open<SupportedResource>[] | null | undefined
}
export const Provider = z.object({
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  logo: z.nullable(z.string()),
  auth_type: z.nullish(openEnum(providerAuthTypes)),
  supported_resources: z.nullish(z.array(openEnum(supportedResources))),
})

/** Filters for providers (specification 4.9). */
export interface ProviderQuery {
  /** The source type of the providers to return; the possible values are unspecified. Default: all providers. */
  source_type?: string | null | undefined
}
export const ProviderQuery = z.object({ source_type: nullishString })

/**
 * An existing provider connection to import (specification 2.4). The specification does not say which fields are
 * required. The types require all fields except `oauth_scopes`; the client requires none.
 */
export interface ConnectionRecipe {
  /** The id of an existing user, a UUID. Imports do not create users. */
  user_id: string
  /** The connection's OAuth access token, a secret. */
  access_token: string
  /** The connection's OAuth refresh token, a secret. */
  refresh_token: string
  /** The provider's id for the user. */
  provider_id: string
  /** When the access token expires, as a Unix timestamp in seconds (assumed unit); 2147483647 means never. */
  expires_at: number
  /** The OAuth scopes that the user granted, in the provider's notation. */
  oauth_scopes?: string[] | null | undefined
}
export const ConnectionRecipe = z.object({
  user_id: assumeRequired(uuid),
  access_token: requiredString,
  refresh_token: requiredString,
  provider_id: requiredString,
  expires_at: assumeRequired(z.int()),
  oauth_scopes: z.nullish(z.array(z.string())),
})

/** A bulk import of existing provider connections (specification 4.3). */
export interface BulkImportInput {
  /** The slug of the provider to which all connections belong. */
  provider: Open<BulkImportProvider>
  /** The connections to import; may be empty. */
  connections: ConnectionRecipe[]
  /** Whether to wait up to 20 seconds for completion. Default: false. */
  wait_for_completion?: boolean | undefined
}
export const BulkImportInput = z.object({
  provider: openEnum(bulkImportProviders),
  connections: z.array(ConnectionRecipe),
  wait_for_completion: z.optional(z.boolean()),
})

/** The response body of a completed bulk import (specification 4.3). */
export interface BulkImportBody {
  /** The ids (UUIDs) of the users whose connections were imported. */
  user_ids_imported: string[]
  /** The ids (UUIDs) of the users whose connections were not imported. */
  user_ids_failed: string[]
}
export const BulkImportBody = z.object({
  user_ids_imported: z.array(lenient.uuid),
  user_ids_failed: z.array(lenient.uuid),
})

/** The response body for a queued or running bulk import. It may be empty. */
export const AcceptedBulkImportBody = z.nullish(
  z.object({
    user_ids_imported: z.nullish(z.array(lenient.uuid)),
    user_ids_failed: z.nullish(z.array(lenient.uuid)),
  }),
)

/** The state of one bulk operation (specification 4.3, rule 4; shape assumed). */
export interface BulkOp {
  /** The kind of operation, such as `link_bulk_import`. */
  type?: string | null | undefined
  /** One of {@link bulkOpStatuses}, or a value added later. */
  status?: Open<BulkOpStatus> | null | undefined
  /** The slug of the provider whose connections are imported. */
  provider?: string | null | undefined
  /** The number of connections not processed yet. */
  pending?: number | null | undefined
  /** The number of connections processed so far, whether imported or failed. */
  processed?: number | null | undefined
  /** When the operation started, in ISO 8601. */
  started_at?: string | null | undefined
  /** When the operation ended, in ISO 8601; null while it runs. */
  ended_at?: string | null | undefined
}
export const BulkOp = z.object({
  type: nullishString,
  status: z.nullish(openEnum(bulkOpStatuses)),
  provider: nullishString,
  pending: z.nullish(lenient.count),
  processed: z.nullish(lenient.count),
  started_at: z.nullish(lenient.dateTime),
  ended_at: z.nullish(lenient.dateTime),
})

/** One page of bulk operations (assumption). */
export interface BulkOpPage {
  /** The bulk operations on this page. */
  data: BulkOp[]
  /** The cursor for the next page; null or absent on the last page. */
  next_cursor?: string | null | undefined
}
export const BulkOpPage = z.object({ data: z.array(BulkOp), next_cursor: nullishString })

/** Selects the page of bulk operations to return (assumption). */
export interface BulkOpQuery {
  /** The previous page's `next_cursor`. Default: the first page. */
  next_cursor?: string | null | undefined
  /** The number of bulk operations per page, from 1 to 50 (an assumption). Default: 10. */
  page_size?: number | undefined
}
export const BulkOpQuery = z.object({
  next_cursor: nullishString,
  page_size: z.optional(lenient.positive),
})

/** The response to deleting a connection (specification 4.10). */
export interface DeletedConnection {
  /**
   * Whether the service accepted the deletion. Also true for on-device platforms in Auto Connect mode, where a deletion
   * has no effect (assumption).
   */
  success: boolean
}
export const DeletedConnection = z.object({ success: z.boolean() })

export const listProviders = endpoint('link.listProviders', {
  query: ProviderQuery,
  responses: { 200: z.array(Provider) },
})

export const deleteConnection = endpoint('link.deleteConnection', {
  params: { user_id: uuid, provider: openEnum(connectionProviders) },
  responses: { 200: DeletedConnection },
})

export const bulkImport = endpoint('link.bulkImport', {
  body: BulkImportInput,
  responses: { 200: BulkImportBody, 202: AcceptedBulkImportBody },
  serviceWait: (body: BulkImportInput) => (body.wait_for_completion ? bulkImportWait : 0),
  echoes: {
    'user_ids_imported.*': 'body.connections.*.user_id',
    'user_ids_failed.*': 'body.connections.*.user_id',
  },
})

export const listBulkOps = endpoint('link.listBulkOps', {
  query: BulkOpQuery,
  responses: { 200: BulkOpPage },
})
