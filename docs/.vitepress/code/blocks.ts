export interface Block {
  language: string
  /** The words after the language, such as `continues` or `vitest`. */
  words: string[]
  /** Why the block does not run, in parentheses at the end of the line. */
  reason?: string
  code: string
  /** The line of the code on the page, from 1. */
  line: number
}

/** A program formed by blocks of a page, in one file. */
export interface Program {
  /** The file name, by which blocks of the page can import the program. */
  file: string
  text: string
  /** Whether the program also runs, instead of only being compiled. */
  isRun: boolean
  /** Whether programs of any page can import the file by its name. */
  isFile: boolean
  /** The blocks, with the place where each begins in the text. */
  parts: { block: Block; start: number }[]
}

/** Returns the unindented fenced code blocks of a page. */
export function blocksOf(page: string): Block[] {
  const fences = page.matchAll(/^(`{3,}|~{3,})([^\n`]*)\n([\s\S]*?)^\1 *$/gm)
  return [...fences].map(({ index, 2: info = '', 3: code = '' }) => {
    const line = page.slice(0, index).split('\n').length + 1
    return { ...readInfo(info), code, line }
  })
}

/** Parses the text after the opening backticks: `ts`, `ts continues`, `ts not-run (needs Redis)`. */
export function readInfo(info: string): Pick<Block, 'language' | 'words' | 'reason'> {
  const [, text = '', reason] = /^(.*?)(?: \(([^)]+)\))?$/.exec(info.trim()) ?? []
  const [language = '', ...words] = text.split(' ').filter(Boolean)
  return { language, words, ...(reason ? { reason } : {}) }
}

/**
 * Returns the programs of a page: a `ts` block begins one, and each `ts continues` block adds to the last one. Blocks
 * named after a test runner or a file, and blocks with `not-run`, are only compiled. `excerpt` blocks belong to no
 * program.
 */
export function programsOf(page: string, text: string): Program[] {
  const programs = new Map<string, Program[]>()
  for (const block of blocksOf(text)) {
    if (block.language !== 'ts' || block.words.includes('excerpt')) continue
    const kind = block.words.filter((word) => word !== 'continues').join(' ')
    const started = programs.get(kind) ?? []
    const isContinued = block.words.includes('continues') && started.length > 0
    if (!isContinued) started.push(startProgram(page, kind, started.length))
    programs.set(kind, started)
    append(block, started.at(-1))
  }
  return [...programs.values()].flat()
}

function startProgram(page: string, kind: string, place: number): Program {
  const isFile = kind.endsWith('.ts')
  const name = [page.replace(/\.md$/, '').replaceAll('/', '-'), kind, place || ''].filter(Boolean)
  return {
    file: isFile ? kind : `${name.join('-')}.ts`,
    text: '',
    isRun: kind === '',
    isFile,
    parts: [],
  }
}

function append(block: Block, program: Program | undefined): void {
  if (!program) return
  program.parts.push({ block, start: program.text.length })
  program.text += block.code
}
