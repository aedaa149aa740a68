import { keyOf, signatureOf } from '../../src/events/signature.ts'
import type { EventBody } from './bodies.ts'

/** What is spoilt in a message. */
export interface Spoiling {
  /** Signed for another body. */
  isWronglySigned: boolean
  /** Sent ten minutes before its time, twice what receivers tolerate. */
  isOld: boolean
}

const tenMinutes = 600

/** An event as a delivery: signed as Standard Webhooks says, under both of the names of its headers. */
export async function messageOf(
  url: string,
  event: { id: string; body: EventBody },
  secret: string,
  { isWronglySigned, isOld }: Spoiling,
  signal?: AbortSignal,
): Promise<Request> {
  const { id } = event
  const text = JSON.stringify(event.body)
  // Receivers compare it with the clock of their machine, not with the team's.
  const timestamp = Math.floor(Date.now() / 1000) - (isOld ? tenMinutes : 0)
  const body = new TextEncoder().encode(isWronglySigned ? `${text} ` : text)
  const signature = await signatureOf({ id, timestamp, body }, await keyOf(secret))
  const signed = { id, timestamp: String(timestamp), signature }
  const headers = Object.entries(signed).flatMap(([name, value]) => [
    [`webhook-${name}`, value],
    [`svix-${name}`, value],
  ])
  return new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
    body: text,
    redirect: 'manual',
    ...(signal ? { signal } : {}),
  })
}
