import type { Program } from './program.ts'
import { isInstance } from './state.ts'

/** Returns the program whose code is running, or undefined for code that is not part of the run. */
type CurrentProgram = () => Program | undefined

/**
 * Returns a store handle that a crash revokes: the crashed program's calls throw, and its pending results never arrive. Other
 * calls reach the store.
 */
export function fenceStore<Store extends object>(store: Store, current: CurrentProgram): Store {
  return new Proxy(store, {
    get: (target, name) => {
      current()?.signal.throwIfAborted()
      const value: unknown = Reflect.get(target, name, target)
      const isFixed = Object.getOwnPropertyDescriptor(target, name)?.configurable === false
      if (!isFunction(value) || isFixed || name === 'constructor') return value
      return (...parameters: unknown[]) => fenceCall(target, value, parameters, current)
    },
    set: (target, name, value) => {
      current()?.signal.throwIfAborted()
      return Reflect.set(target, name, value, target)
    },
  })
}

function fenceCall(
  target: object,
  method: (...parameters: unknown[]) => unknown,
  parameters: unknown[],
  current: CurrentProgram,
): unknown {
  const program = current()
  program?.signal.throwIfAborted()
  const result: unknown = Reflect.apply(method, target, parameters)
  if (result === target || typeof result !== 'object' || result === null) return result
  if (!(result instanceof Promise)) return fenceResult(result, current)
  const awaited = async () => fenceResult(await result, current)
  return program ? program.guard(awaited) : awaited()
}

/** Fences an object that is part of the store, such as a pool's connection. */
function fenceResult<Result>(result: Result, current: CurrentProgram): Result {
  const isPart = typeof result === 'object' && result !== null && isInstance(result)
  return isPart ? fenceStore(result, current) : result
}

function isFunction(value: unknown): value is (...parameters: unknown[]) => unknown {
  return typeof value === 'function'
}
