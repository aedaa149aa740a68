import { parquetMediaType } from '../../src/contract/aggregate.ts'
import type { Endpoint } from '../../src/contract/schema/endpoint.ts'
import { Answer, hasBody, type WrittenAnswer } from '../base/response.ts'
import { spanOf } from '../state/clock/time.ts'
import { drifted } from './drift.ts'
import type { Drift, DueEffect, StatusEffect } from './faults.ts'

/** What the caller of a request gets: an answer, or none. */
export type Exchange =
  | WrittenAnswer
  /** Nobody listens: the request provably never arrived. */
  | { kind: 'refused' }
  /** The connection closed without an answer. */
  | { kind: 'lost' }

type Instead = Exclude<DueEffect, After | { latency: unknown }>
type After = 'lose_answer' | 'cut_mid_body' | 'malformed_json' | { drift: Drift }

/** What the faults that a request meets do with it. */
export interface Plan {
  /** Milliseconds of team time. */
  latency: number
  /** Comes in the place of the service, which then does nothing. */
  instead?: Instead
  /** Befalls the answer, after the service has done its work. */
  after: After[]
}

/** Latencies add up; of the effects that take the place of the service the first one counts. */
export function planOf(effects: DueEffect[]): Plan {
  const plan: Plan = { latency: 0, after: [] }
  for (const effect of effects) {
    if (isLatency(effect)) plan.latency += spanOf(effect.latency)
    else if (isAfter(effect)) plan.after.push(effect)
    else plan.instead ??= effect
  }
  return plan
}

function isLatency(effect: DueEffect): effect is Extract<DueEffect, { latency: unknown }> {
  return typeof effect === 'object' && 'latency' in effect
}

function isAfter(effect: DueEffect): effect is After {
  if (typeof effect === 'object') return 'drift' in effect
  return effect === 'lose_answer' || effect === 'cut_mid_body' || effect === 'malformed_json'
}

/** What comes in the place of the service. */
export async function substitute(
  effect: Instead,
  now: number,
): Promise<Answer | Exclude<Exchange, WrittenAnswer>> {
  if (effect === 'refuse_connection') return { kind: 'refused' }
  if (effect === 'cut_before_answer') return { kind: 'lost' }
  if (effect === 'html') return new Answer(200, page, 'text/html')
  if ('redirect' in effect) return new Answer(307, '', 'text/plain', { location: effect.redirect })
  if ('archive' in effect) {
    const { corruptArchive } = await import('./corrupt-archive.ts')
    return new Answer(200, await corruptArchive(effect.archive), parquetMediaType)
  }
  return statusAnswer(effect, now)
}

const page =
  '<!doctype html><html><head><title>Sign in</title></head><body>Sign in to go on.</body></html>'

function statusAnswer(
  { status, body, retryAfter, retryAfterAs }: StatusEffect,
  now: number,
): Answer {
  const detail = { detail: `A fault of the mock answers ${status}` }
  const answered = body ?? detail
  const type = typeof answered === 'string' ? 'text/plain' : 'application/json'
  if (retryAfter === undefined) return new Answer(status, answered, type)
  const seconds = Math.ceil(spanOf(retryAfter) / 1000)
  const value =
    retryAfterAs === 'date' ? new Date(now + seconds * 1000).toUTCString() : String(seconds)
  return new Answer(status, answered, type, { 'retry-after': value })
}

/** An answer that departs from the specification as the effects say. */
export function drifting(after: After[], answer: Answer, endpoint: Endpoint): Answer {
  const schema = endpoint.responses[answer.status]
  if (schema === undefined || schema === 'binary') return answer
  const body = after.reduce<unknown>(
    (value, effect) => (typeof effect === 'object' ? drifted(effect.drift, schema, value) : value),
    answer.body,
  )
  return new Answer(answer.status, body, answer.type, answer.headers)
}

/** A written answer after what befalls it on its way. */
export function spoilt(after: After[], answer: WrittenAnswer): Exchange {
  if (after.includes('lose_answer')) return { kind: 'lost' }
  const whole = bytesOf(answer.body)
  const half = whole.byteLength >> 1
  const body = after.includes('malformed_json') ? whole.slice(0, half) : whole
  const headers = { ...answer.headers, 'content-length': String(body.byteLength) }
  const cut = after.includes('cut_mid_body') ? { cutAfter: body.byteLength >> 1 } : {}
  return { ...answer, headers, body, ...cut }
}

/** A response as `fetch` gives it. */
export function responseOf(exchange: Exchange): Response {
  if (exchange.kind !== 'answer') throw connectionError(exchange.kind)
  const { status, headers, body, cutAfter } = exchange
  const sent = cutAfter === undefined ? body : cutBody(body, cutAfter)
  return new Response(hasBody(status) ? sent : null, { status, headers })
}

/** What `fetch` throws on Node, down to the code of its cause. */
function connectionError(kind: 'refused' | 'lost'): TypeError {
  const cause =
    kind === 'refused'
      ? Object.assign(new Error('connect ECONNREFUSED'), {
          code: 'ECONNREFUSED',
          syscall: 'connect',
        })
      : Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
  return new TypeError('fetch failed', { cause })
}

function cutBody(body: WrittenAnswer['body'], cutAfter: number): ReadableStream<Uint8Array> {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
  let isSent = false
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated', { cause }))
      else controller.enqueue(bytesOf(body).slice(0, cutAfter))
      isSent = true
    },
  })
}

/** The bytes of a body. */
export function bytesOf(body: WrittenAnswer['body']): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body
}
