import { readFileSync } from 'node:fs'
import { slugify } from '../../../docs/.vitepress/markdown/slugify.ts'
import { categoryOf, declaringFiles } from '../../../docs/.vitepress/reference/categories.ts'
import * as knownValues from '../../../src/contract/values/known-values.ts'
import { code } from './markdown.ts'

/** The source files of the client's exports. */
const files = declaringFiles('src/index.ts')

/** Returns a link to an export in the API reference, relative to the page of an operation. */
function linkTo(name: string, text: string): string | undefined {
  const file = files.get(name)
  return file && `[${text}](../api/client/${slugify(categoryOf(file))}.md#${slugify(name)})`
}

/** Returns a type as code, with links to the exports that it names. */
export function linkedType(type: string): string {
  const parts = type.split(' | ')
  const linked = parts.map((part) => {
    const names = (part.match(/\w+/g) ?? []).filter((name) => files.has(name))
    // For `Open<Race>`, link to `Race`.
    const name = names.find((one) => one !== 'Open') ?? names[0]
    return name ? linkTo(name, code(part)) : undefined
  })
  if (!linked.some(Boolean)) return code(type)
  return parts.map((part, place) => linked[place] ?? code(part)).join(' \\| ')
}

/** Adds links to the exports that a text names. Ignores names such as `past`, which may also be the names of fields. */
export function linkedNames(text: string): string {
  return text.replaceAll(/`(\w*[A-Z]\w*)`/g, (all, name: string) => linkTo(name, all) ?? all)
}

/** Enumerations with more values than this are only linked. */
const maximum = 9

/** Returns a sentence with the values of a small enumeration, such as `TimeUnit` in `Open<TimeUnit>`. */
export function valuesIn(type: string): string {
  const values = (type.match(/\w+/g) ?? []).flatMap(valuesOf)
  if (values.length === 0 || values.length > maximum) return ''
  return `${type.includes('Open<') ? 'Known values' : 'Values'}: ${values.map(code).join(', ')}.`
}

const source = readFileSync('src/contract/values/known-values.ts', 'utf8')

function valuesOf(name: string): readonly string[] {
  const [, list] = new RegExp(`^export type ${name} = \\(typeof (\\w+)\\)`, 'm').exec(source) ?? []
  return list ? ((knownValues as unknown as Record<string, readonly string[]>)[list] ?? []) : []
}
