import type { Source } from '../../../src/contract/source.ts'
import { deprecations } from '../../../src/contract/values/deprecations.ts'
import type { Settings } from '../defaults.ts'
import type { TeamProvider } from '../records/link.ts'

/** What decides whether deprecated fields are sent: the team's setting and its time. */
export interface DeprecationContext {
  /** Whether deprecated fields are sent. */
  settings: Pick<Settings, 'deprecatedFields'>
  /** The clock, which decides about removed fields. */
  clock: { readonly moment: number }
}

/** The state from which `source` fields are created. */
export interface SourceContext extends DeprecationContext {
  /** The providers, by slug. */
  providers: { get(slug: string): TeamProvider | undefined }
}

/** Returns where health data comes from (specification 2.8), with the deprecated fields until their removal (part 9). */
export function makeSource(provider: string, type: string, context: SourceContext): Source {
  const source = { provider, type, app_id: null }
  if (!isSent(deprecations.sourceFields, context)) return source
  const { name, slug, logo } = context.providers.get(provider) ?? {}
  return { ...source, name: name ?? provider, slug: slug ?? provider, logo: logo ?? null }
}

/** Whether a deprecated part of the contract is still sent. */
export function isSent(
  { removal }: { removal: string },
  { settings, clock }: DeprecationContext,
): boolean {
  if (settings.deprecatedFields !== 'until_removal') return settings.deprecatedFields === 'always'
  return clock.moment < Date.parse(removal)
}
