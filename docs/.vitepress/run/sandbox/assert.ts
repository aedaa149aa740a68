import { inspect } from 'node-inspect-extracted'

class AssertionError extends Error {
  override readonly name = 'AssertionError'
}

/** The functions of `node:assert/strict` that pages use. */
const assert = {
  ok(value: unknown, message = 'The value is falsy.'): void {
    if (!value) throw new AssertionError(message)
  },
  equal(actual: unknown, expected: unknown): void {
    compare(Object.is(actual, expected), actual, expected)
  },
  deepEqual(actual: unknown, expected: unknown): void {
    compare(show(actual) === show(expected), actual, expected)
  },
  async rejects(promise: Promise<unknown>, expected?: object): Promise<void> {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error === undefined) throw new AssertionError('The promise was not rejected.')
    if (typeof expected === 'function') assert.ok(error instanceof expected)
    else if (expected) assert.deepEqual({ ...pick(error, expected) }, { ...expected })
  },
}

export default assert

function compare(isEqual: boolean, actual: unknown, expected: unknown): void {
  if (!isEqual) throw new AssertionError(`${show(actual)} is not equal to ${show(expected)}.`)
}

function show(value: unknown): string {
  return inspect(value, { depth: Number.POSITIVE_INFINITY, sorted: true })
}

/** Returns only those properties of an error that `expected` contains. */
function pick(error: unknown, expected: object): object {
  const names = Object.keys(expected)
  return Object.fromEntries(names.map((name) => [name, Reflect.get(Object(error), name)]))
}
