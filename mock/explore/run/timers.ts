import { currentTask, never } from './program.ts'

const names = ['setTimeout', 'setInterval', 'setImmediate'] as const

// biome-ignore lint/suspicious/noExplicitAny: the platform's functions have many signatures
type AnyFunction = (...parameters: any[]) => unknown

interface Modules {
  syncBuiltinESMExports?: () => void
}

/** Undefined in browsers. */
const { process }: { process?: Partial<NodeJS.Process> } = globalThis

let runsInProgress = 0

let restore = () => {}

/**
 * Replaces the platform's timers, so that a crashed program's timers do not fire. Other code's timers are unaffected.
 * The returned function restores the platform's timers.
 */
export function watchTimers(): () => void {
  if (runsInProgress === 0) restore = replaceTimers()
  runsInProgress += 1
  return () => {
    runsInProgress -= 1
    if (runsInProgress === 0) restore()
  }
}

function replaceTimers(): () => void {
  const promises: object = process?.getBuiltinModule?.('node:timers/promises') ?? {}
  const modules: Modules = process?.getBuiltinModule?.('node:module') ?? {}
  const undo = [
    ...names.map((name) => replace(globalThis, name, guardCallback)),
    ...['setTimeout', 'setImmediate'].map((name) => replace(promises, name, guardPromise)),
  ]
  modules.syncBuiltinESMExports?.()
  return () => {
    for (const each of undo) each()
    modules.syncBuiltinESMExports?.()
  }
}

/**
 * Replaces a function until the returned function is called. If fake timers replace the function in the meantime, their
 * replacement stays.
 */
function replace(
  target: object,
  name: string,
  guard: (original: AnyFunction) => AnyFunction,
): () => void {
  const original: unknown = Reflect.get(target, name)
  if (typeof original !== 'function') return () => {}
  const guarded = guard((...parameters) => Reflect.apply(original, target, parameters))
  Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(original))
  Reflect.set(target, name, guarded)
  return () => {
    if (Reflect.get(target, name) === guarded) Reflect.set(target, name, original)
  }
}

/** Returns a timer's delay. For `setImmediate`, the argument in this position can be any value. */
function delay(given: unknown): number {
  return typeof given === 'number' ? given : 0
}

function guardCallback(original: AnyFunction): AnyFunction {
  return (callback, ...rest) => {
    const program = currentTask()?.program
    if (!program || typeof callback !== 'function') return original(callback, ...rest)
    program.addTimer(delay(rest[0]))
    const guarded = (...parameters: unknown[]) => {
      try {
        if (program.isAlive) callback(...parameters)
      } catch (error) {
        // An uncaught error would end the test process without a report.
        program.addRejection(error)
      }
    }
    return original(guarded, ...rest)
  }
}

function guardPromise(original: AnyFunction): AnyFunction {
  return async (...parameters) => {
    const program = currentTask()?.program
    program?.addTimer(delay(parameters[0]))
    const result = await original(...parameters)
    return program?.isAlive === false ? never() : result
  }
}
