import { isObject } from '../../src/contract/schema/object.ts'
import { MockError, type MockErrorCode, mockErrorCodes } from '../errors.ts'

/** The codes of responses that contain no code, by status. */
const codesByStatus = new Map<number, MockErrorCode>([
  [401, 'access_denied'],
  [403, 'access_denied'],
  [413, 'invalid_option'],
  [422, 'invalid_option'],
  [500, 'defect'],
])

/** Returns the error of a response that is not a success. */
export function toMockError(status: number, text: string): MockError {
  const { detail, code } = parseError(text)
  return new MockError(
    isErrorCode(code) ? code : (codesByStatus.get(status) ?? 'unreachable'),
    describeDetails(detail) ??
      `Expected a mock to respond, but got status ${status}. Check the URL.`,
  )
}

/** Another server may send anything. */
function parseError(text: string): { detail?: unknown; code?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Another server, or a newer mock, may send a code that this version does not know. */
function isErrorCode(code: unknown): code is MockErrorCode {
  return mockErrorCodes.some((known) => known === code)
}

function describeDetails(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return undefined
  return detail.map(describeDetail).join('; ')
}

function describeDetail(detail: unknown): string {
  const { loc, msg } = Object(detail) as { loc?: unknown; msg?: unknown }
  const path = [loc].flat().filter((part) => ['string', 'number'].includes(typeof part))
  return `${path.join('.')}: ${typeof msg === 'string' ? msg : 'invalid'}`
}
