import type { namespaces } from '../../contract/endpoints.ts'

/** The contract, by the namespaces of the client. */
export type Contract = typeof namespaces

/** The modules that the first call loads. */
export type LoadedModules = Awaited<ReturnType<typeof load>>

let loaded: LoadedModules | undefined
let loading: Promise<LoadedModules> | undefined

/**
 * Loads the contract and the code that runs calls, at the first call, because zod and ky are most of the client's size.
 * Calls that wait for it continue in the order in which they were made; later calls do not wait.
 */
export function loadModules(): LoadedModules | Promise<LoadedModules> {
  loading ??= load().then(
    (modules) => {
      loaded = modules
      return modules
    },
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loaded ?? loading
}

async function load() {
  const [{ namespaces }, { CallRunner }] = await Promise.all([
    import('../../contract/endpoints.ts'),
    import('./call-runner.ts'),
  ])
  return { contract: namespaces, CallRunner }
}
