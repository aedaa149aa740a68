const json = 'application/json'

/** An answer of the service, before it is written. */
export class Answer {
  readonly status: number
  /** JSON values for `application/json`, else text or bytes. */
  readonly body: unknown
  readonly type: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: unknown, type = json, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.type = type
    this.headers = headers
  }
}

/** An answer as it is sent. */
export interface WrittenAnswer {
  kind: 'answer'
  status: number
  headers: Record<string, string>
  /** Text is sent as UTF-8. */
  body: string | Uint8Array<ArrayBuffer>
  /** The connection breaks after so many bytes of the body. */
  cutAfter?: number
}

export function written({ status, body, type, headers }: Answer, requestId: string): WrittenAnswer {
  const id = { 'x-request-id': requestId }
  if (!hasBody(status)) return { kind: 'answer', status, headers: { ...id, ...headers }, body: '' }
  const sent = sentOf(body, type)
  const content = { 'content-type': type, 'content-length': String(byteLength(sent)) }
  return { kind: 'answer', status, headers: { ...content, ...id, ...headers }, body: sent }
}

/** Whether HTTP lets an answer of a status have a body; what a test gives it otherwise is left out. */
export function hasBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304
}

function sentOf(body: unknown, type: string): string | Uint8Array<ArrayBuffer> {
  // Whoever answers bytes has made them, in memory of their own.
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>
  return type !== json && typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
}

/** How many bytes are sent; text is counted, for encoding it takes longer. */
export function byteLength(sent: string | Uint8Array): number {
  if (typeof sent !== 'string') return sent.byteLength
  let length = sent.length
  for (let at = 0; at < sent.length; at += 1) {
    const unit = sent.charCodeAt(at)
    if (unit < 0x80) continue
    // Both halves of a surrogate pair take two bytes.
    length += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return length
}
