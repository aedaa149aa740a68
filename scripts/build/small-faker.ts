import { en, type LocaleDefinition } from '@faker-js/faker'
import type { Plugin } from 'esbuild'

/** The definitions of Faker that the mock uses: a tenth of the locale. */
const used: Record<'person' | 'location', readonly string[]> = {
  person: ['first_name', 'last_name', 'last_name_pattern'],
  location: ['street_name', 'street_pattern', 'street_suffix'],
}

/** Replaces the English Faker with one that has only the definitions that the mock uses. */
export const smallFaker: Plugin = {
  name: 'small-faker',
  setup({ onLoad }) {
    onLoad({ filter: /@faker-js[\\/]faker[\\/]dist[\\/]locale[\\/]en\.js$/ }, () => ({
      contents: `
        import { Faker } from '@faker-js/faker'
        export const faker = new Faker({ locale: ${JSON.stringify(usedDefinitions())} })`,
      loader: 'js',
      resolveDir: process.cwd(),
    }))
  },
}

function usedDefinitions(): LocaleDefinition {
  const { person, location } = en
  return { person: pick(person, used.person), location: pick(location, used.location) }
}

function pick(
  definitions: Record<string, unknown> = {},
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => names.includes(name)))
}
