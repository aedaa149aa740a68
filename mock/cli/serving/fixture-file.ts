import { promises } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { parse, parseDocument, visit, YAMLParseError } from 'yaml'
import { MockError, messageOf } from '../../errors.ts'
import type { Fixture } from '../../fixtures/fixture.ts'
import { seedTeam } from '../../fixtures/seed.ts'
import { Mock } from '../../mock.ts'
import type { TeamState } from '../../state/team-state.ts'
import { CommandFailure } from '../options.ts'

export type CheckedFixture = (team: TeamState) => void

/** @throws {CommandFailure} when the file cannot be read or contains an invalid value. */
export async function readFixtureFile(
  path: string,
  { allowsRemoteWebhooks }: { allowsRemoteWebhooks: boolean },
): Promise<CheckedFixture> {
  const fixture = parseFixture(path, await readText(path))
  const trial = new Mock({})
  trial.setHooks({ allowsRemoteWebhooks })
  try {
    seedTeam(trial.defaultTeam.state, fixture)
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    throw new CommandFailure(`The fixture ${path} cannot be used: ${error.message}`, 2)
  }
  return (team) => void seedTeam(team, fixture)
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new CommandFailure(`The fixture ${path} cannot be read: ${messageOf(error)}.`, 2)
  }
}

function parseFixture(path: string, text: string): Fixture {
  const isYaml = ['.yaml', '.yml'].includes(extname(path).toLowerCase())
  try {
    return isYaml ? parse(text, { logLevel: 'error' }) : JSON.parse(text)
  } catch (error) {
    // Parser messages are omitted, because they may contain parts of the file.
    const reason = isYaml
      ? yamlReason(text, error)
      : `invalid syntax at ${place(text, jsonErrorIndex(text))}`
    const format = isYaml ? 'YAML' : 'JSON'
    throw new CommandFailure(`The fixture ${path} is not valid ${format}: ${reason}.`, 2)
  }
}

function yamlReason(text: string, error: unknown): string {
  if (error instanceof YAMLParseError) return `invalid syntax at ${place(text, error.pos[0])}`
  const document = parseDocument(text)
  let unknown: number | undefined
  visit(document, {
    Alias: (_, alias) => {
      if (!alias.resolve(document)) unknown ??= alias.range?.[0]
    },
  })
  if (unknown === undefined) return 'its aliases expand to too many values'
  return `the alias at ${place(text, unknown)} has no preceding anchor`
}

function place(text: string, index: number): string {
  const lines = text.slice(0, index).split(/\r\n|\r|\n/)
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end'

const token =
  /[{}[\],:]|"[^"\\\n\r\t]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\n\r\t]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const whitespace = /[ \t\n\r]*/y

/**
 * Returns the index of the first token that makes a string invalid JSON. Node reports the position only for some
 * errors.
 */
function jsonErrorIndex(text: string): number {
  const open: string[] = []
  let expected: Expected = 'value'
  let index = endOf(whitespace, text, 0)
  while (index < text.length) {
    const end = endOf(token, text, index)
    const next = expectedAfter(text.slice(index, end), expected, open)
    if (!next) return index
    expected = next
    index = endOf(whitespace, text, end)
  }
  return index
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}

/**
 * Returns what may follow a token, or undefined if the token is invalid. `open` contains the brackets that are still
 * open.
 */
function expectedAfter(found: string, expected: Expected, open: string[]): Expected | undefined {
  const around = open.at(-1)
  if (found === '}' || found === ']') {
    const isOwn = around === (found === '}' ? '{' : '[')
    const mayClose = expected === 'comma or end' || expected.endsWith(found)
    return isOwn && mayClose && open.pop() ? 'comma or end' : undefined
  }
  if (expected === 'colon') return found === ':' ? 'value' : undefined
  if (expected === 'comma or end') {
    if (found !== ',' || !around) return undefined
    return around === '{' ? 'name' : 'value'
  }
  if (expected.startsWith('name')) return found.startsWith('"') ? 'colon' : undefined
  if (found === '' || found === ',' || found === ':') return undefined
  if (found !== '{' && found !== '[') return 'comma or end'
  open.push(found)
  return found === '{' ? 'name or }' : 'value or ]'
}

/** The interval between checks of the file, in milliseconds. */
const interval = 200

/** Returns a string that changes when the file changes. */
export async function fileVersionOf(path: string): Promise<string> {
  try {
    const { mtimeNs, size, ino } = await promises.stat(path, { bigint: true })
    return [mtimeNs, size, ino].join(' ')
  } catch {
    return 'missing'
  }
}

/**
 * Calls `changed` after each change to the file. Polls the file instead of watching it, because editors replace files,
 * and folders mounted into containers send no change notifications.
 *
 * @param version The version that the caller has already read.
 */
export function watchFile(path: string, version: string, changed: () => void): () => void {
  let known = version
  const timer = setInterval(async () => {
    const found = await fileVersionOf(path)
    if (found === known) return
    known = found
    changed()
  }, interval).unref()
  return () => clearInterval(timer)
}
