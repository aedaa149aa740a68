/** Errors from the mocks in this program. The client rejects with them unchanged, because no service caused them. */
interface Registry {
  errors: WeakSet<object>
  /** Errors that an adapter sent as responses, keyed by the value of {@link mockErrorHeader}. */
  sent: Map<string, object>
}

/** The header of a response that represents an error from a mock in the same program. */
export const mockErrorHeader = 'x-mock-error'

const maxSent = 100

/** The package's builds do not share modules, so they share the registry through the global object. */
const key = Symbol.for('health-lab-sdk.mock-errors')
const shared: { [key]?: Registry } = Object(globalThis)

export function markMockError(error: object): void {
  registry().errors.add(error)
}

export function isMockError(error: unknown): error is object {
  if (typeof error !== 'object' || error === null) return false
  return shared[key]?.errors.has(error) ?? false
}

/**
 * Stores an error until a client receives its response or 100 newer errors are stored. Returns the value of
 * {@link mockErrorHeader}.
 */
export function sendMockError(error: object): string {
  const { sent } = registry()
  const id = crypto.randomUUID()
  sent.set(id, error)
  for (const oldest of sent.keys()) if (sent.size > maxSent) sent.delete(oldest)
  return id
}

export function receiveMockError(headers: Headers): object | undefined {
  const sent = shared[key]?.sent
  if (!sent?.size) return undefined
  const id = headers.get(mockErrorHeader) ?? ''
  const error = sent.get(id)
  sent.delete(id)
  return error
}

function registry(): Registry {
  shared[key] ??= { errors: new WeakSet(), sent: new Map() }
  return shared[key]
}
