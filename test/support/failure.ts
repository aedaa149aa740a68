import { expect } from 'vitest'
import { ServiceError } from '../../src/index.ts'

type Kind<E> = abstract new (...facts: never[]) => E

/** Returns the error that a call rejects with, and checks its class. */
export async function failureOf(call: PromiseLike<unknown>): Promise<ServiceError>
export async function failureOf<E>(call: PromiseLike<unknown>, kind: Kind<E>): Promise<E>
export async function failureOf(
  call: PromiseLike<unknown>,
  kind: Kind<unknown> = ServiceError,
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
