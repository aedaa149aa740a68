import type { Source } from '../src/contract/source.ts'
import { sourceFieldsRemoval } from './defaults.ts'
import type { World } from './world.ts'

/** Where health data comes from (specification 2.8); its deprecated fields until the day of their removal (part 9). */
export function sourceOf(provider: string, type: string, world: World): Source {
  const source = { provider, type, app_id: null }
  if (!showsRemoved(sourceFieldsRemoval, world)) return source
  const { name, slug, logo } = world.providers.get(provider) ?? {}
  return { ...source, name: name ?? provider, slug: slug ?? provider, logo: logo ?? null }
}

/** Whether a deprecated field is still answered, by the day of its removal. */
export function showsRemoved(removal: string, { settings, clock }: World): boolean {
  if (settings.deprecatedFields !== 'until_removal') return settings.deprecatedFields === 'always'
  return clock.moment < Date.parse(removal)
}
