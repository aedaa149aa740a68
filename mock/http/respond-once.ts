import type { Endpoint } from '../../src/contract/schema-tools/endpoint.ts'
import { headers as headerNames } from '../../src/contract/wire.ts'
import { HttpError } from './http-error.ts'
import type { IncomingRequest } from './request/request.ts'
import { ServiceResponse } from './response.ts'
import type { RequestWorld } from './route.ts'

/** Responses with these statuses are not stored, because the request was not processed. */
const unprocessed = [401, 409, 422]

interface Responder {
  /** Waits for the latency that faults add to the request. Undefined if there is none. */
  readonly wait: (() => Promise<void>) | undefined
  readonly respond: () => ServiceResponse | Promise<ServiceResponse>
}

/**
 * Responds to a request, or returns the stored response to an earlier request with the same `x-idempotency-key`
 * (assumption).
 *
 * @throws {HttpError} 409 while the earlier request is in progress.
 */
export function respondOnce(
  { request, world }: { request: IncomingRequest; world: RequestWorld },
  { acceptsIdempotencyKey }: Endpoint,
  responder: Responder,
): ReturnType<Responder['respond']> {
  const { idempotency, settings } = world
  const key = request.headers[headerNames.idempotencyKey]
  const accepts = settings.idempotencyKeys && acceptsIdempotencyKey
  return key && accepts ? respondOnceTo(key, idempotency, responder) : respondAfterWait(responder)
}

async function respondOnceTo(
  key: string,
  idempotency: RequestWorld['idempotency'],
  responder: Responder,
): Promise<ServiceResponse> {
  const stored = idempotency.get(key)
  const isRunning = idempotency.isRunning(key)
  if (stored || isRunning) await responder.wait?.()
  if (stored) return new ServiceResponse(stored.status, stored.body, stored.type)
  if (isRunning) {
    throw new HttpError(409, 'A request with this idempotency key is in progress')
  }
  const claim = idempotency.claim(key)
  try {
    const response = await respondAlways(responder)
    if (!unprocessed.includes(response.status)) claim.store(response)
    return response
  } finally {
    claim.release()
  }
}

function respondAfterWait({ wait, respond }: Responder): ReturnType<Responder['respond']> {
  return wait ? wait().then(respond) : respond()
}

async function respondAlways(responder: Responder): Promise<ServiceResponse> {
  try {
    return await respondAfterWait(responder)
  } catch (error) {
    return errorResponse(error)
  }
}

export function errorResponse(error: unknown): ServiceResponse {
  if (!(error instanceof HttpError)) throw error
  const { status, detail, headers } = error
  return new ServiceResponse(status, { detail }, undefined, { ...headers })
}
