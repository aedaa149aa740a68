import { expect, it } from 'vitest'
import { defaultModes } from '../../mock/events/delivery/delivery-modes.ts'
import { defaultSettings, mockDefaults } from '../../mock/state/defaults.ts'
import { membersOf } from '../../scripts/docs/reference/interfaces.ts'
import { clientOptionRules } from '../../src/client/options/client-options.ts'
import { requestOptionRules } from '../../src/client/options/request-options.ts'
import { completeLimits } from '../../src/parquet/archive/limits.ts'

/** Defaults that the comment explains instead of quoting them. */
const explained = [
  'now',
  'regionalPayors',
  'bookingOutcome',
  'signInTokenLifetime',
  'providerPriority',
  'delay',
]

const units: Record<string, number> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** Returns the value that a comment quotes, such as 268435456 for `256 MiB`. */
function valueIn(text: string): string {
  const [, digits, unit] = /^`?(\d(?:[\d,]*\d)?) ?(\w*)/.exec(text) ?? []
  if (digits === undefined) return text.replaceAll('`', '').toLowerCase()
  const number = Number(digits.replaceAll(',', ''))
  return units[unit ?? ''] ? String(number * (units[unit ?? ''] ?? 1)) : `${number}${unit}`
}

function quoted(value: unknown): string {
  return String(value).toLowerCase().replaceAll(' ', '')
}

it.each([
  { name: 'TeamOptions', file: 'mock/state/defaults.ts', values: defaultSettings },
  { name: 'MockOptions', file: 'mock/state/defaults.ts', values: mockDefaults },
  { name: 'DeliveryModes', file: 'mock/events/delivery/delivery-modes.ts', values: defaultModes },
  { name: 'ArchiveLimits', file: 'src/parquet/archive/limits.ts', values: completeLimits({}) },
])('shows the defaults of $name as they are in the code', ({ name, file, values }) => {
  const shown = membersOf(file, name).filter(
    (member) => Object.hasOwn(values, member.name) && !explained.includes(member.name),
  )
  expect(shown.length).toBeGreaterThan(2)
  const code: Record<string, unknown> = { ...values }
  const expected = shown.map((member) => [member.name, quoted(code[member.name])])
  expect(shown.map((member) => [member.name, valueIn(member.defaultValue)])).toEqual(expected)
})

it.each([
  { name: 'ClientOptions', file: 'src/client/options/client-options.ts', rules: clientOptionRules },
  {
    name: 'RequestOptions',
    file: 'src/client/options/request-options.ts',
    rules: requestOptionRules,
  },
])('shows each option of $name', ({ name, file, rules }) => {
  const names = membersOf(file, name).map((member) => member.name)
  expect(names.toSorted()).toEqual(Object.keys(rules).toSorted())
})
