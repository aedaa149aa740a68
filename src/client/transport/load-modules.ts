import type { namespaces } from '../../contract/endpoints.ts'
import { addedNames, ownFields, removeAddedData } from '../../shared/own-fields.ts'
import { ServiceError } from '../errors/service-error.ts'

export type Contract = typeof namespaces

export type LoadedModules = Awaited<ReturnType<typeof load>>

let loaded: LoadedModules | undefined
let loading: Promise<LoadedModules> | undefined

/**
 * On the first call, loads the contract and the call runner. They import zod and ky, which account for most of the
 * client's size. Calls that wait for the modules continue in call order. Later calls do not wait.
 */
export function loadModules(): LoadedModules | Promise<LoadedModules> {
  loading ??= load().then(
    (modules) => {
      loaded = modules
      return modules
    },
    (cause: unknown) => {
      loading = undefined
      throw loadError(cause)
    },
  )
  return loaded ?? loading
}

async function load() {
  // Fields added to `Object.prototype` could break zod and the contract while they load. A module that failed to load
  // can never load again.
  const restore = removeAddedData()
  try {
    // Throw now if a Request cannot be created, because ky creates one when it loads.
    if (addedNames().length > 0)
      new Request('https://service.invalid', { method: 'POST', body: '' })
    const [{ namespaces }, { CallRunner }] = await Promise.all([
      import('../../contract/endpoints.ts'),
      import('./call-runner.ts'),
    ])
    return { contract: namespaces, CallRunner }
  } finally {
    restore()
  }
}

function loadError(cause: unknown): ServiceError {
  const message =
    'The request was not sent: a module of this package could not be loaded. See error.originalCause.'
  const call = { operation: 'ServiceClient', route: '', outcome: 'not-sent', attempts: [] } as const
  return new ServiceError(message, ownFields({ ...call, cause }))
}
