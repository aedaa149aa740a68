import { readFileSync } from 'node:fs'
import type { MarkdownRenderer, ShikiTransformer } from 'vitepress'
import { addPage, notesOf, type TypeNote } from '../code/types.ts'
import { pageFiles } from '../navigation.ts'

/** The notes of the block being highlighted. */
let current: TypeNote[] = []

/** Compiles the `ts` blocks of each page, and adds the types of their names. A compile error fails the build. */
export function addTypes(md: MarkdownRenderer): void {
  for (const file of pageFiles()) addPage(pathOf(file), readFileSync(file, 'utf8'))
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, place, options, env, self) => {
    const isPage = pageFiles().includes(`docs/${env.relativePath}`)
    current = isPage ? blockNotes(env, tokens[place]?.content ?? '') : []
    return fence?.(tokens, place, options, env, self) ?? ''
  }
}

interface Environment {
  relativePath: string
  /** The notes of the page's blocks. Set when the first block is rendered. */
  notes?: Map<string, TypeNote[]>
}

function blockNotes(env: Environment, code: string): TypeNote[] {
  env.notes ??= notesOf(env.relativePath, readFileSync(`docs/${env.relativePath}`, 'utf8'))
  return env.notes.get(code) ?? []
}

function pathOf(file: string): string {
  return file.replace(/^docs\//, '')
}

/** Marks the names that have notes. The theme shows the notes. */
export const markTypes: ShikiTransformer = {
  name: 'types',
  preprocess(_code, options) {
    const marks = current.map(({ start, end, text }) => ({
      start,
      end,
      properties: { class: 'typed', 'data-type': text },
    }))
    options.decorations = [...(options.decorations ?? []), ...marks]
  },
}
