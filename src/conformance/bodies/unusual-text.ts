import type { OperationId } from '../../contract/operations.ts'
import { tableOf } from '../../shared/narrow.ts'
import { assertEqual, assertSuccess } from '../assertions.ts'
import type { TestedService } from '../service.ts'
import { valueAt } from '../shape.ts'
import { withValue } from './invalid-bodies.ts'

type Body = Record<string, unknown>

/**
 * Strings that are easy to corrupt: spaces at both ends and in the middle, upper-case and lower-case letters, letters
 * within and beyond Latin-1, composed and decomposed accents, a ligature, an emoji of several code points, quotation
 * marks, dashes, and characters that HTML and JSON escape.
 */
const unusualTexts = [
  "  Öko  “haus” №5 ﬁle – O'Neil & <b> \\ e\u0301 é 犬 🐕‍🦺 mcDONALD ",
  ' Two  spaces ',
  'mixed CASE, O\'Neil & <b> \\ "x"',
  'naïve é',
  'e\u0301 ﬁ “№” –',
  '犬 🐕‍🦺',
] as const

/** Unusual values for fields with their own format, keyed by the last path segment. */
const unusualValues: Readonly<Record<string, readonly string[]>> = {
  first_name: ["Mary-Jane O'Neil", 'McDonald'],
  last_name: ['van der McBerg', 'DeLuca Jr.'],
  email: ['Ada.Mc+Lab@example.test', 'ADA.stone@example.test'],
  phone_number: ['(602) 555-0107', '+1 602-555-0108'],
  zip_code: ['02139-4307'],
  zip: ['02139-4307'],
  member_id: ['00aB-9', ...unusualTexts],
  group_id: ['00aB-9', ...unusualTexts],
}

/** An operation whose response contains the fields of the request body, and a way to read the stored data. */
export interface StoringCall {
  operation: OperationId
  body: Body
  /** Returns the stored data, or undefined if the setup cannot read it. */
  stored(user: string): Promise<unknown>
}

/**
 * Asserts that an operation returns and stores values unchanged. Skips rejected values, because the specification does
 * not define which values a service accepts.
 */
export async function assertKept(
  service: TestedService,
  { operation, body, stored }: StoringCall,
  values: Readonly<Record<string, readonly unknown[]>>,
): Promise<void> {
  const user_id = await service.user()
  const rounds = Math.max(...Object.values(values).map(({ length }) => length))
  for (let round = 0; round < rounds; round += 1) {
    const edits = Object.entries(values).flatMap(([path, list]) =>
      round < list.length ? [{ path, value: list[round] }] : [],
    )
    const groups = [edits, ...edits.map((edit) => [edit])]
    for (const group of groups) {
      const sent = group.reduce((changed, { path, value }) => withValue(changed, path, value), body)
      const response = await service.call(operation, { params: { user_id }, body: sent })
      if (response.status >= 400 && response.status < 500) continue
      const { json } = assertSuccess(response)
      const kept = await stored(user_id)
      for (const { path, value } of group) {
        assertEqual(valueAt(json, path), value, path)
        if (kept !== undefined) assertEqual(valueAt(kept, path), value, `the stored ${path}`)
      }
      // The service accepted all values at once, so sending them one by one would find nothing new.
      if (group === edits) break
    }
  }
}

export function unusualValuesOf(paths: readonly string[]): Record<string, readonly string[]> {
  return tableOf(paths, (path) => unusualValues[path.split('.').at(-1) ?? ''] ?? unusualTexts)
}
