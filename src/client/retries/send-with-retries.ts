import { isMockError } from '../../shared/mock-errors.ts'
import type { Attempt, ServiceError } from '../errors/service-error.ts'
import {
  type AttemptFailure,
  classifyError,
  permanentError,
  responseError,
  responseFailure,
  transportError,
} from '../transport/attempt/attempt-errors.ts'
import {
  isSuccess,
  type ReceivedResponse,
  RunningAttempt,
} from '../transport/attempt/running-attempt.ts'
import type { RunningCall } from '../transport/running-call.ts'
import { type Failure, retryDelay } from './retry.ts'

/** The result of one attempt. `error` is thrown if the call is not retried. */
type AttemptResult =
  | { received: ReceivedResponse; failure: undefined; error: undefined }
  | { received: undefined; failure: Failure; error: ServiceError }

export async function sendWithRetries(call: RunningCall): Promise<ReceivedResponse> {
  const { event, request, cancellation, observer, settings } = call
  if (call.remaining <= 0) throw call.timeoutError()
  for (let attempt = 1, delay = 0; ; attempt += 1) {
    observer.reportRequest(event, attempt)
    const { received, failure, error } = await sendOnce(call, delay)
    if (received) return received
    const allowance = { retries: request.maxRetries - (attempt - 1), remaining: call.remaining }
    // In virtual time, there is no load to spread, and a fixed value keeps tests deterministic.
    const jitter = settings.clock.isVirtual ? 0.5 : Math.random()
    const next = retryDelay(failure, call.effect, allowance, { number: attempt, jitter })
    if (next === undefined) throw error
    observer.reportRetry(event, call.attempts, next)
    await settings.clock.sleep(next, cancellation.signal)
    delay = next
  }
}

/** Makes one attempt. Throws under the same conditions as {@link failAttempt}. */
async function sendOnce(call: RunningCall, delay: number): Promise<AttemptResult> {
  const { clock } = call.settings
  const startedAt = clock.monotonic()
  const attempt = new RunningAttempt(call)
  const end = (failure?: Failure | AttemptFailure) => {
    const duration = Math.round(Math.max(0, clock.monotonic() - startedAt))
    endAttempt(call, attempt, { duration, delay: Math.round(delay) }, failure)
  }
  let received: ReceivedResponse
  let failure: Failure | undefined
  try {
    received = await attempt.run()
    const { response } = received
    failure = isSuccess(response) ? undefined : responseFailure(response, clock.now())
  } catch (error) {
    const isAborted = call.cancellation.signal?.aborted ?? false
    const classified = classifyError(error, attempt, isAborted)
    end(classified)
    return failAttempt(error, classified, attempt, call)
  }
  end(failure)
  if (!failure) return { received, failure, error: undefined }
  return { received: undefined, failure, error: responseError(received, failure, call) }
}

/** Returns the failure. Throws if the call is aborted, a mock itself fails, or the error is permanent. */
function failAttempt(
  error: unknown,
  failure: AttemptFailure,
  attempt: RunningAttempt,
  call: RunningCall,
): AttemptResult {
  call.cancellation.throwIfAborted()
  if (isMockError(error)) throw error
  const permanent = permanentError(error, attempt, call)
  if (permanent) throw permanent
  return { received: undefined, failure, error: transportError(error, attempt, call) }
}

function endAttempt(
  call: RunningCall,
  { status, requestId }: RunningAttempt,
  times: Pick<Attempt, 'duration' | 'delay'>,
  failure: Failure | AttemptFailure | undefined,
): void {
  const attempt: Attempt = {
    ...times,
    ...(status !== undefined && { status }),
    ...(failure && isCoded(failure) && { code: failure.code }),
  }
  const outcome = call.addAttempt(attempt, failure)
  if (status !== undefined) call.requestId = requestId
  const number = call.attempts.length
  call.observer.reportResponse(call.event, { number, attempt, outcome, requestId })
}

function isCoded(failure: Failure | AttemptFailure): failure is AttemptFailure {
  return Object.hasOwn(failure, 'code')
}
