import type { Source } from '../../../src/contract/source.ts'
import type { TeamProvider } from '../../data/providers.ts'
import { type Settings, sourceFieldsRemoval } from '../defaults.ts'

/** What decides whether deprecated fields are sent: the team's setting and its time. */
export interface DeprecationContext {
  settings: Pick<Settings, 'deprecatedFields'>
  clock: { readonly moment: number }
}

/** What `source` fields are made from. */
export interface SourceContext extends DeprecationContext {
  providers: { get(slug: string): TeamProvider | undefined }
}

/** Returns where health data comes from (specification 2.8), with the deprecated fields until their removal (part 9). */
export function sourceOf(provider: string, type: string, context: SourceContext): Source {
  const source = { provider, type, app_id: null }
  if (!isSent(sourceFieldsRemoval, context)) return source
  const { name, slug, logo } = context.providers.get(provider) ?? {}
  return { ...source, name: name ?? provider, slug: slug ?? provider, logo: logo ?? null }
}

/** Whether a deprecated field with this removal date (ISO 8601) is still sent. */
export function isSent(removal: string, { settings, clock }: DeprecationContext): boolean {
  if (settings.deprecatedFields !== 'until_removal') return settings.deprecatedFields === 'always'
  return clock.moment < Date.parse(removal)
}
