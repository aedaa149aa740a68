import { readFileSync } from 'node:fs'
import {
  type Comment,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  type SignatureReflection,
} from 'typedoc'
import { rowAnchor } from '../markdown/slugify.ts'
import { assumptions, explaining } from './assumption-list.ts'

/** Adds a badge to each comment that mentions an assumption, with a link to the row that explains it. */
export function markAssumptions(project: ProjectReflection): void {
  checkRows()
  for (const reflection of Object.values(project.reflections)) {
    const { comment } = reflection
    if (!comment || isExplaining(reflection) || !mentionsAssumption(comment)) continue
    const link = `/reference/assumptions.md#${rowOf(reflection)}`
    comment.summary.push({ kind: 'text', text: ` [assumption](${link})` })
  }
}

function mentionsAssumption({ summary }: Comment): boolean {
  return /\b(?:assumed|assumptions?)\b/i.test(summary.map(({ text }) => text).join(''))
}

function isExplaining(reflection: Reflection): boolean {
  const module = parentsOf(reflection).find(({ kind }) => kind === ReflectionKind.Module)
  return explaining.includes(module?.name ?? '')
}

/** Returns the row for a member, or for the export that contains the member. */
function rowOf(reflection: Reflection): string {
  const names = parentsOf(reflection).map(({ name }) => name)
  const row = Object.entries(assumptions).find(([, members]) =>
    names.some((name) => members.includes(name)),
  )
  if (!row) throw new Error(`Add ${reflection.getFullName()} to a row in assumption-list.ts.`)
  return row[0]
}

function parentsOf(reflection: Reflection | SignatureReflection): Reflection[] {
  return reflection.parent ? [reflection, ...parentsOf(reflection.parent)] : [reflection]
}

/** Checks that the page has every row that `assumptions` names. */
function checkRows(): void {
  const page = readFileSync('docs/reference/assumptions.md', 'utf8')
  const cells = [...page.matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => rowAnchor(cell))
  const missing = Object.keys(assumptions).filter((row) => !cells.includes(row))
  if (missing.length === 0) return
  throw new Error(
    `assumption-list.ts names rows that reference/assumptions.md does not have: ${missing}`,
  )
}
