import type { Source } from '../../src/contract/source.ts'
import { type Settings, sourceFieldsRemoval } from '../state/defaults.ts'
import type { TeamProvider } from '../state/records/link.ts'

/** What decides on deprecated fields: the team's setting, and its time. */
export interface DeprecationView {
  settings: Pick<Settings, 'deprecatedFields'>
  clock: { readonly moment: number }
}

/** What of a world a source is made from. */
export interface SourceView extends DeprecationView {
  providers: { get(slug: string): TeamProvider | undefined }
}

/** Where health data comes from (specification 2.8); its deprecated fields until the day of their removal (part 9). */
export function sourceOf(provider: string, type: string, view: SourceView): Source {
  const source = { provider, type, app_id: null }
  if (!showsRemoved(sourceFieldsRemoval, view)) return source
  const { name, slug, logo } = view.providers.get(provider) ?? {}
  return { ...source, name: name ?? provider, slug: slug ?? provider, logo: logo ?? null }
}

/** Whether a deprecated field is still answered, by the day of its removal. */
export function showsRemoved(removal: string, { settings, clock }: DeprecationView): boolean {
  if (settings.deprecatedFields !== 'until_removal') return settings.deprecatedFields === 'always'
  return clock.moment < Date.parse(removal)
}
