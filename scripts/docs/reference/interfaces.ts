import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { clockModes } from '../../../mock/state/clock/clock-modes.ts'
import { logLevels } from '../../../src/client/logger.ts'
import { code, table } from './markdown.ts'

/** A member of an interface, as a page shows it. */
export interface Member {
  name: string
  type: string
  isOptional: boolean
  /** The doc comment without its default. */
  description: string
  /** The default in the doc comment. Empty if the comment does not state one. */
  defaultValue: string
}

/** Types that a page replaces with their values. */
const shownTypes: Record<string, string> = {
  Validation: "'strict' | 'report' | 'off'",
  LogLevel: union(logLevels),
  ClockMode: union(clockModes),
  TimeSpan: 'number | string',
  Instant: 'Date | number | string',
  'readonly [...Queries]': 'readonly AnyQuery[]',
  ExtraHeaders: 'object | Headers | iterable of pairs',
}

function union(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(' | ')
}

/** Omits inherited members. */
export function membersOf(file: string, name: string): Member[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found = source.statements.filter(ts.isInterfaceDeclaration)
  const declaration = found.find((candidate) => candidate.name.text === name)
  if (!declaration) throw new Error(`${file} has no interface ${name}.`)
  return declaration.members.filter(isField).map((member) => memberOf(member, source))
}

type Field = ts.PropertySignature | ts.MethodSignature

function isField(member: ts.TypeElement): member is Field {
  return ts.isPropertySignature(member) || ts.isMethodSignature(member)
}

function memberOf(member: Field, source: ts.SourceFile): Member {
  const comment = commentOf(member)
  const [sentence = '', defaultValue = ''] = /Default: (.*?)\.(?= |$)/.exec(comment) ?? []
  return {
    name: member.name.getText(source),
    type: ts.isMethodSignature(member) ? 'function' : shownType(member.type?.getText(source) ?? ''),
    isOptional: member.questionToken !== undefined,
    description: comment.replace(sentence, '').replaceAll(/ +/g, ' ').trim(),
    defaultValue,
  }
}

/** Returns one line, with any deprecation, and with links as code. */
function commentOf(member: Field): string {
  const [doc] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc)
  const deprecated = doc?.tags?.find(ts.isJSDocDeprecatedTag)
  const parts = [
    ts.getTextOfJSDocComment(doc?.comment),
    deprecated && `Deprecated. ${ts.getTextOfJSDocComment(deprecated.comment)}`,
  ]
  return parts
    .filter(Boolean)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\{@link (\w+)\.?([\w]*)\}/g, (_, one, two) => code(two || one))
}

function shownType(type: string): string {
  const short = type
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ \| undefined\b/g, '')
    .replace(/^\| /, '')
  if (short.startsWith('{')) return 'object'
  if (short.includes('=>'))
    return short.includes(' | (') ? `${short.split(' | (')[0]} | function` : 'function'
  return shownTypes[short] ?? short
}

export function optionTable(file: string, name: string): string {
  const rows = membersOf(file, name).map((member) => [
    `${code(member.name)}<br>${code(member.type)}`,
    cell(member.defaultValue || (member.isOptional ? 'None' : 'Required')),
    cell(member.description),
  ])
  return table(['Option', 'Default', 'Meaning'], rows)
}

export function fieldTable(file: string, name: string): string {
  const rows = membersOf(file, name).map(({ name: field, type, description }) => [
    code(field),
    code(type),
    cell(description),
  ])
  return table(['Field', 'Type', 'Meaning'], rows)
}

function cell(text: string): string {
  const escaped = text.replaceAll('|', '\\|')
  return escaped.charAt(0).toUpperCase() + escaped.slice(1)
}
