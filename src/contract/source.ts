import * as z from 'zod/mini'
import { maybe, type Open, openEnum } from './schema.ts'

/** Known values of {@link Source.type}, as presumed for part 6; the service may add more. */
export const sourceTypes = [
  'unknown',
  'phone',
  'watch',
  'app',
  'multiple_sources',
  'fingerprick',
  'cuff',
  'manual_scan',
  'automatic',
  'scale',
  'chest_strap',
  'ring',
  'lab',
] as const
/** One of {@link sourceTypes}. */
export type SourceType = (typeof sourceTypes)[number]

/** Where a summary or data event comes from (specification 2.8). */
export interface Source {
  /** The provider's slug. */
  provider?: string | null | undefined
  type?: Open<SourceType> | null | undefined
  app_id?: string | null | undefined
  /** @deprecated Use `provider` and `link.listProviders` (specification part 9; removal from 31 July 2024). */
  name?: string | null | undefined
  /** @deprecated Use `provider` (specification part 9; removal from 31 July 2024). */
  slug?: string | null | undefined
  /** @deprecated Use `provider` and `link.listProviders` (specification part 9; removal from 31 July 2024). */
  logo?: string | null | undefined
}
export const Source = z.object({
  provider: maybe(z.string()),
  type: maybe(openEnum(sourceTypes)),
  app_id: maybe(z.string()),
  name: maybe(z.string()),
  slug: maybe(z.string()),
  logo: maybe(z.string()),
})
