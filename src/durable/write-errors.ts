import { AbortError } from '../client/errors/abort-error.ts'
import { ServiceError } from '../client/errors/service-error.ts'
import type { StoredWrite } from '../stores/write-store.ts'
import { DurableError } from './durable-error.ts'

export function hadNoEffect(error: unknown): boolean {
  if (error instanceof DurableError) return error.code === 'not_sent'
  return error instanceof ServiceError && ['not-sent', 'rejected'].includes(error.outcome)
}

/** Returns an error with an unknown outcome, because this or another run may have sent the write. */
export function abortError(operation: string, cause: unknown): AbortError {
  return new AbortError({ operation, route: '', outcome: 'unknown', attempts: [], cause })
}

export function differs(id: string): DurableError {
  return new DurableError(
    'input_differs',
    'The id was already used for a different operation or input. Nothing was sent. Use the id with its original input, or a new id for a new write.',
    { id },
  )
}

export function takenOver(id: string, cause?: unknown): DurableError {
  const message = 'Another process took over this write. Call again for its result.'
  return new DurableError('busy', message, { id, ...(cause === undefined ? {} : { cause }) })
}

export function busy(id: string): DurableError {
  return new DurableError(
    'busy',
    'Another process is working on this id. This call sent nothing. Call again later for the outcome.',
    { id },
  )
}

export function pending({ id, operation }: StoredWrite, cause: unknown): DurableError {
  const message = `This ${operation} call failed (see the cause), but an earlier call with the same id may have taken effect. Call again with the same input.`
  return new DurableError('pending', message, { id, cause })
}
