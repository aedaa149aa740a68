import type { namespaces } from '../../contract/endpoints.ts'
import { addedNames, ownFields } from '../../shared/own-fields.ts'
import { ServiceError } from '../errors/service-error.ts'

export type Contract = typeof namespaces

export type LoadedModules = Awaited<ReturnType<typeof load>>

/**
 * Field names that break property definitions if they exist on `Object.prototype`. A module that failed to load once
 * can never load again, so these fields are checked first.
 */
const descriptorNames = ['get', 'set', 'value', 'writable', 'enumerable', 'configurable']

let loaded: LoadedModules | undefined
let loading: Promise<LoadedModules> | undefined

/**
 * On the first call, loads the contract and the code that runs calls, because zod and ky account for most of the
 * client's size. Calls that wait for the modules continue in the order in which they were made; later calls do not
 * wait.
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
  checkPlatform()
  const [{ namespaces }, { CallRunner }] = await Promise.all([
    import('../../contract/endpoints.ts'),
    import('./call-runner.ts'),
  ])
  return { contract: namespaces, CallRunner }
}

/** @throws an error if the modules would fail to load, so the program can still fix the cause. */
function checkPlatform(): void {
  const added = addedNames()
  const name = added.find((one) => descriptorNames.includes(one))
  if (name !== undefined) throw new TypeError(`Object.prototype has a field '${name}'`)
  // Throw now if a Request cannot be created, because ky creates one when it loads.
  if (added.length > 0) new Request('https://service.invalid', { method: 'POST', body: '' })
}

function loadError(cause: unknown): ServiceError {
  const message =
    'The request was not sent: a module of this package could not be loaded. See error.originalCause.'
  const call = { operation: 'ServiceClient', route: '', outcome: 'not-sent', attempts: [] } as const
  return new ServiceError(message, ownFields({ ...call, cause }))
}
