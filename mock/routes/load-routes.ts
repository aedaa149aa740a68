import type { RouteOf } from '../http/exchange.ts'

let loaded: RouteOf | undefined
let loading: Promise<RouteOf> | undefined

/**
 * Loads the routes on the first request, because many programs import a mock without using it. Requests that arrive
 * during loading continue in order. Later requests do not wait.
 */
export function loadRoutes(): RouteOf | Promise<RouteOf> {
  loading ??= import('./routes.ts').then(
    ({ serviceRouteOf }) => {
      loaded = serviceRouteOf
      return serviceRouteOf
    },
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loaded ?? loading
}
