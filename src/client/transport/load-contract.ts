import type { namespaces } from '../../contract/endpoints.ts'

/** The contract by the namespaces of the client. */
export type Contract = typeof namespaces

/** What a call needs that is not loaded from the start. */
export type Loaded = Awaited<ReturnType<typeof load>>

let loaded: Loaded | undefined
let loading: Promise<Loaded> | undefined

/**
 * Loads the contract and what checks by it, at the first call: zod is most of what the client weighs. Calls that wait
 * for it go on in the order in which they were made; later ones do not wait.
 */
export function loadContract(): Loaded | Promise<Loaded> {
  loading ??= load().then(
    (parts) => {
      loaded = parts
      return parts
    },
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loaded ?? loading
}

async function load() {
  const [{ namespaces }, { prepare }, { readAnswer }] = await Promise.all([
    import('../../contract/endpoints.ts'),
    import('./prepare-request.ts'),
    import('./read-response.ts'),
  ])
  return { contract: namespaces, prepare, readAnswer }
}
