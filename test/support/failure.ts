import { expect } from 'vitest'
import { ServiceError } from '../../src/index.ts'

type Kind = abstract new (...facts: never[]) => unknown

/** Returns the error that a call rejects with, and checks its class. */
export async function failureOf(call: PromiseLike<unknown>): Promise<ServiceError>
export async function failureOf<K extends Kind>(
  call: PromiseLike<unknown>,
  kind: K,
): Promise<InstanceType<K>>
export async function failureOf(
  call: PromiseLike<unknown>,
  kind: Kind = ServiceError,
): Promise<unknown> {
  const nothing = Symbol('nothing')
  const error = await Promise.resolve(call).then(
    () => nothing,
    (reason: unknown) => reason,
  )
  expect(error).not.toBe(nothing)
  expect(error).toBeInstanceOf(kind)
  return error
}
