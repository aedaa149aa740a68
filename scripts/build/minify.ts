import { readFileSync, writeFileSync } from 'node:fs'
import { minifySync, parseSync } from 'rolldown/utils'
import type { Options } from 'tsup'

/**
 * Minifies code, but keeps the names of classes and methods, because stacks and messages contain them. The names of
 * functions are kept only in ES modules: they would add 0.1 MB to the CommonJS build.
 */
export function minified(code: string, { module }: { module: boolean }): string {
  const keepNames = { function: module, class: true }
  const { code: short, errors } = minifySync('file.js', code, {
    module,
    compress: { keepNames, sequences: false },
    mangle: { toplevel: true, keepNames },
  })
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  return withShortLines(short)
}

export const minifyModules: NonNullable<Options['plugins']>[number] = {
  name: 'minify-modules',
  buildEnd({ writtenFiles }) {
    for (const { name } of writtenFiles) {
      writeFileSync(name, minified(readFileSync(name, 'utf8'), { module: true }))
    }
  },
}

/** Breaks lines between statements, because Node prints the whole line of an uncaught error. */
function withShortLines(code: string, longest = 120): string {
  const breaks = [0]
  for (const start of startsIn(parseSync('file.js', code).program).toSorted((a, b) => a - b)) {
    if (start - (breaks.at(-1) ?? 0) > longest) breaks.push(start)
  }
  return breaks.map((start, index) => code.slice(start, breaks[index + 1])).join('\n')
}

/** The types of syntax nodes that a line may start with. */
const places = /(?:Statement|Declaration|Declarator|Definition|Property)$/

function startsIn(node: unknown): number[] {
  if (typeof node !== 'object' || node === null) return []
  const inner = Object.values(node).flatMap(startsIn)
  const isPlace = 'type' in node && places.test(String(node.type))
  return isPlace && 'start' in node ? [Number(node.start), ...inner] : inner
}
