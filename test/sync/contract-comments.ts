import { globSync, readFileSync } from 'node:fs'

/** A field of an interface of the contract. */
interface Field {
  comment: string
  type: string
}

const source = globSync('src/contract/**/*.ts')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

/** Returns the fields of an interface with their comments. */
function fieldsOf(name: string): Map<string, Field> {
  const body =
    new RegExp(`export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? ''
  const field = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*([a-z_]\w*)\??: ([^\n]+)/g
  return new Map(
    [...body.matchAll(field)].map(([, comment = '', key = '', type = '']) => [
      key,
      { comment: textOf(comment), type },
    ]),
  )
}

/** Returns a comment in one line, without the marks of TypeScript. */
function textOf(comment: string): string {
  return comment
    .replaceAll(/\n\s*\* ?/g, ' ')
    .replaceAll(/\{@link (\w+)\}/g, '$1')
    .replaceAll('@deprecated', 'Deprecated.')
    .replaceAll('`', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Returns the comment of the field at a path in the interfaces of a record. */
export function contractComment(
  interfaces: readonly string[],
  path: readonly string[],
): string | undefined {
  const [name = '', ...rest] = path
  const field = interfaces.map((each) => fieldsOf(each).get(name)).find(Boolean)
  if (!field || rest.length === 0) return field?.comment
  return contractComment([/^\w+/.exec(field.type)?.[0] ?? ''], rest)
}
