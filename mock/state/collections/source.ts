import type { Source } from '../../../src/contract/source.ts'
import { deprecations } from '../../../src/contract/values/deprecations.ts'
import type { FormPort, SummaryPort } from '../ports.ts'

/**
 * Returns the source of health data (specification 2.8), with its deprecated fields if they are still sent (part 9).
 */
export function makeSource(provider: string, type: string, context: SummaryPort): Source {
  const source = { provider, type, app_id: null }
  if (!isSent(deprecations.sourceFields, context)) return source
  const { name, slug, logo } = context.providers.get(provider) ?? {}
  return { ...source, name: name ?? provider, slug: slug ?? provider, logo: logo ?? null }
}

/** Returns whether a deprecated part of the contract is still sent. */
export function isSent({ removal }: { removal: string }, { settings, clock }: FormPort): boolean {
  if (settings.deprecatedFields !== 'until_removal') return settings.deprecatedFields === 'always'
  return clock.moment < Date.parse(removal)
}
