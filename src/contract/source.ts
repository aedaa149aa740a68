import * as z from 'zod/mini'
import { maybe, openEnum } from './schema/schema.ts'
import { type Open, type SourceType, sourceTypes } from './values/known-values.ts'

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
