import type { RunRoute } from './http/route.ts'

let loaded: RunRoute | undefined
let loading: Promise<RunRoute> | undefined

/**
 * Loads the routes at the first request, because many programs import a mock that they do not use. Requests that wait for
 * it continue in their order; later requests do not wait.
 */
export function loadRoutes(): RunRoute | Promise<RunRoute> {
  loading ??= import('./routes/run-route.ts').then(
    ({ runRoute }) => {
      loaded = runRoute
      return runRoute
    },
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loaded ?? loading
}
