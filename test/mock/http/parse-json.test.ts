import { expect, it } from 'vitest'
import { parseJsonInSteps } from '../../../mock/http/request/parse-json.ts'
import { runAtOnce } from '../../../mock/shared/slices.ts'
import { runsOf } from '../../support/long-tests.ts'
import { fc } from '../../support/properties.ts'

const stepLengths = fc.constantFrom(1, 2, 5, 20, 65_536)

/** Returns what a parser returns, or that it fails. */
function resultOf(parse: () => unknown) {
  try {
    return { value: parse() }
  } catch {
    return 'invalid'
  }
}

const names = fc.constantFrom('a', 'b', '1', '0', '__proto__', '"', '\\d', '{', ',', ']')
const values = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.jsonValue(),
    names,
    fc.array(tie('any'), { maxLength: 6 }),
    fc.array(fc.tuple(names, tie('any')), { maxLength: 6 }).map((fields) => new Map(fields)),
  ),
})).any

/** Writes JSON with spaces; a map is written with `__proto__` and with repeated names. */
function write(value: unknown, space: string): string {
  if (value instanceof Map) {
    const fields = [...value, ...[...value].slice(0, 1)].map(
      ([name, field]) => `${space}${JSON.stringify(name)}${space}:${write(field, space)}`,
    )
    return `{${fields.join()}${space}}`
  }
  if (!Array.isArray(value)) return JSON.stringify(value)
  return `[${value.map((item) => space + write(item, space)).join()}${space}]`
}

const json = fc
  .tuple(values, fc.constantFrom('', ' ', '\n\t'))
  .map(([value, space]) => space + write(value, space) + space)
  .filter(isReliable)

/** V8 reads a name that begins with a quote as a backslash, if it has read an object with the name of a backslash before. */
function isReliable(text: string): boolean {
  return !text.includes('"\\"')
}

it('returns the same value as JSON.parse', () => {
  fc.assert(
    fc.property(json, stepLengths, (text, stepLength) => {
      const found = runAtOnce(parseJsonInSteps(text, 1000, stepLength))
      const expected: unknown = JSON.parse(text)
      expect(found).toStrictEqual(expected)
      expect(JSON.stringify(found)).toBe(JSON.stringify(expected))
    }),
  )
})

it('fails for the same strings as JSON.parse', () => {
  const characters = fc.constantFrom(...'[]{},:"0 \\\f\u00a0')
  const changed = fc
    .tuple(json, fc.nat(), fc.nat(3), fc.string({ unit: characters, maxLength: 2 }))
    .map(([text, at, removed, added]) => {
      const start = at % (text.length + 1)
      return text.slice(0, start) + added + text.slice(start + removed)
    })
    .filter(isReliable)
  fc.assert(
    fc.property(changed, stepLengths, (text, stepLength) => {
      const found = resultOf(() => runAtOnce(parseJsonInSteps(text, 1000, stepLength)))
      expect(found).toStrictEqual(resultOf(() => JSON.parse(text)))
    }),
    { numRuns: runsOf(2000) },
  )
})

it('parses a long list in many steps', () => {
  const task = parseJsonInSteps(JSON.stringify({ list: Array(100_000).fill({ a: 1 }) }), 100)
  let steps = 0
  while (!task.next().done) steps += 1
  expect(steps).toBeGreaterThan(5)
})
