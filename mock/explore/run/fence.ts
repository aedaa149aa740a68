import type { Program } from './program.ts'
import { isInstance } from './state.ts'

type CurrentProgram = () => Program | undefined

/**
 * Returns a store handle that a crash revokes: the crashed program's calls throw, and its pending results never arrive.
 * Calls from other code reach the store.
 */
export function fenceStore<Store extends object>(store: Store, current: CurrentProgram): Store {
  const fenced: Store = new Proxy(store, {
    get: (target, name) => {
      current()?.signal.throwIfAborted()
      const value: unknown = Reflect.get(target, name, target)
      const isFixed = Object.getOwnPropertyDescriptor(target, name)?.configurable === false
      if (!isFunction(value) || isFixed || name === 'constructor') return value
      return (...parameters: unknown[]) => {
        const call = () => Reflect.apply(value, target, parameters)
        return fenceCall(call, { target, fenced }, current)
      }
    },
    set: (target, name, value) => {
      current()?.signal.throwIfAborted()
      return Reflect.set(target, name, value, target)
    },
  })
  return fenced
}

interface FencedStore {
  target: object
  fenced: object
}

function fenceCall(call: () => unknown, store: FencedStore, current: CurrentProgram): unknown {
  const program = current()
  program?.signal.throwIfAborted()
  const result = call()
  if (!(result instanceof Promise)) return fenceResult(result, store, current)
  const awaited = async () => fenceResult(await result, store, current)
  return program ? program.guard(awaited) : awaited()
}

/** Fences a result that is the store itself or a part of it, such as a pool's connection. */
function fenceResult(
  result: unknown,
  { target, fenced }: FencedStore,
  current: CurrentProgram,
): unknown {
  if (result === target) return fenced
  const isPart = typeof result === 'object' && result !== null && isInstance(result)
  return isPart ? fenceStore(result, current) : result
}

function isFunction(value: unknown): value is (...parameters: unknown[]) => unknown {
  return typeof value === 'function'
}
