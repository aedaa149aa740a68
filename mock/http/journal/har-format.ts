/** The journal as an HTTP Archive (HAR 1.2). */
export interface Har {
  log: { version: '1.2'; creator: { name: string; version: string }; entries: HarEntry[] }
}

/** A request in a HAR document, with its response. */
export interface HarEntry {
  /** The virtual time at which the request arrived, in ISO 8601. */
  startedDateTime: string
  /** Real time is not measured. */
  time: 0
  request: {
    method: string
    url: string
    httpVersion: 'HTTP/1.1'
    cookies: readonly []
    headers: HarPair[]
    queryString: HarPair[]
    headersSize: -1
    bodySize: -1
    postData?: { mimeType: string; text: string }
  }
  /** The response; its status is 0 if the request has no response. */
  response: {
    status: number
    statusText: ''
    httpVersion: 'HTTP/1.1'
    cookies: readonly []
    headers: HarPair[]
    content: { size: -1; mimeType: string; text: string }
    redirectURL: ''
    headersSize: -1
    bodySize: -1
  }
  cache: {}
  timings: { send: 0; wait: 0; receive: 0 }
  /** The operation and the outcome of the request. */
  comment: string
}

/** A header or query parameter in a HAR document. */
export interface HarPair {
  /** The name, or `redacted`. */
  name: string
  /** The value, or `redacted`. */
  value: string
}
