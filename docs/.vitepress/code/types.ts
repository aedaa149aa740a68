import ts from 'typescript'
import { type Program, programsOf } from './blocks.ts'
import { ProgramService } from './service.ts'

/** What the page shows when the reader points at a name. */
export interface TypeNote {
  /** The position of the name in the block. */
  start: number
  end: number
  /** The type as editors show it, followed by the first paragraph of the documentation. */
  text: string
}

const service = new ProgramService()

/** Adds a page's programs without checking them. The first rendered page then checks the programs of all pages at once. */
export function addPage(path: string, text: string): Program[] {
  const programs = programsOf(path, text)
  for (const program of programs) service.write(fileOf(program), program.text)
  return programs
}

/** Returns the notes of each block, keyed by the block's code. Throws if a program of the page does not compile. */
export function notesOf(path: string, text: string): Map<string, TypeNote[]> {
  const programs = addPage(path, text)
  const errors = programs.flatMap((program) => errorsOf(path, program))
  if (errors.length > 0) throw new Error(`Code of a page does not compile:\n${errors.join('\n')}`)
  return new Map(programs.flatMap(notesIn))
}

/** The folder is inside the package, so that the package name resolves to the built declarations. */
function fileOf({ file }: Program): string {
  return `docs/.vitepress/cache/programs/${file}`
}

function errorsOf(path: string, program: Program): string[] {
  return service.errorsOf(fileOf(program)).map(({ start, message }) => {
    const part = program.parts.findLast((candidate) => candidate.start <= start)
    const lines = program.text.slice(part?.start ?? 0, start).split('\n').length - 1
    return `${path}:${(part?.block.line ?? 1) + lines} ${message}`
  })
}

function notesIn(program: Program): [string, TypeNote[]][] {
  const types = service.typesOf(fileOf(program))
  return program.parts.map(({ block, start }) => {
    const end = start + block.code.length
    const inside = types.filter((type) => type.start >= start && type.end <= end)
    const notes = inside.map((type) => ({
      start: type.start - start,
      end: type.end - start,
      text: noteText(type.info),
    }))
    return [block.code, notes.filter(({ text }) => text !== '')]
  })
}

/** The maximum length of a type in a note, in characters. */
const maxLength = 500

function noteText({ displayParts, documentation }: ts.QuickInfo): string {
  const type = ts.displayPartsToString(displayParts).replace(/^\(alias\) (.*)\nimport .*$/s, '$1')
  const text = ts.displayPartsToString(documentation)
  const [paragraph = ''] = text.split('\n\n')
  const shown = type.length > maxLength ? `${type.slice(0, maxLength)} …` : type
  const isAssumed = /\b(?:assumed|assumptions?)\b/i.test(text)
  const parts = [shown, paragraph.replaceAll('\n', ' '), isAssumed ? assumptionNote : '']
  return parts.filter(Boolean).join('\n\n')
}

/** Added to the note of a name that rests on an assumption. The pages themselves show a badge. */
const assumptionNote = 'Assumption: the specification does not define a part of this.'
