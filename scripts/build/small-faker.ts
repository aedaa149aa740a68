import { readFileSync } from 'node:fs'
import { en, type LocaleDefinition } from '@faker-js/faker'
import type { Plugin } from 'esbuild'

/** The Faker definitions that the mock uses: a tenth of the locale. */
const used: Record<'person' | 'location', readonly string[]> = {
  person: ['first_name', 'last_name', 'last_name_pattern'],
  location: ['street_name', 'street_pattern', 'street_suffix'],
}

/** The Faker modules that the mock uses, directly or indirectly. */
const usedModules = ['helpers', 'location', 'number', 'person', 'string']

/** Replaces the English Faker with one that has only the definitions and modules that the mock uses. */
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
    onLoad({ filter: /@faker-js[\\/]faker[\\/]dist[\\/]base-\w+\.js$/ }, ({ path }) => ({
      contents: withUsedModules(readFileSync(path, 'utf8')),
      loader: 'js',
    }))
  },
}

/** Removes the fields of the class for unused modules, and lets esbuild drop the lists that only these modules read. */
function withUsedModules(code: string): string {
  return code
    .replaceAll(/(?<=[{;])(\w+)=new [\w$]+\(this\);/g, (field, name: string) =>
      usedModules.includes(name) ? field : '',
    )
    .replaceAll(/(?<=[:=[,(])`[^`$]*`\.split\(/g, '/* @__PURE__ */ $&')
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
