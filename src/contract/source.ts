import * as z from 'zod/mini'
import { nullishString, openEnum } from './schema-tools/schema.ts'
import { type Open, type SourceType, sourceTypes } from './values/known-values.ts'

/** The source of a summary or data event (specification 2.8). */
export interface Source {
  /** The provider's slug, such as `oura`. */
  provider?: string | null | undefined
  /** The type of source, such as `ring` or `app`. */
  type?: Open<SourceType> | null | undefined
  /** For on-device health platforms, the id of the app that recorded the data. */
  app_id?: string | null | undefined
  /** @deprecated Use `provider` and `link.listProviders` (specification part 9; removal on or after 31 July 2024). */
  name?: string | null | undefined
  /** @deprecated Use `provider` (specification part 9; removal on or after 31 July 2024). */
  slug?: string | null | undefined
  /** @deprecated Use `provider` and `link.listProviders` (specification part 9; removal on or after 31 July 2024). */
  logo?: string | null | undefined
}
export const Source = z.object({
  provider: nullishString,
  type: z.nullish(openEnum(sourceTypes)),
  app_id: nullishString,
  name: nullishString,
  slug: nullishString,
  logo: nullishString,
})
