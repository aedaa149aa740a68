/** An HTTP Archive (HAR 1.2), as far as the journal fills it. */
export interface Har {
  log: { version: '1.2'; creator: { name: string; version: string }; entries: HarEntry[] }
}

/** One request of a HAR document, and its answer. */
export interface HarEntry {
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
  /** Status 0 for a request that got no answer. */
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
  /** The operation, and what became of the request. */
  comment: string
}

/** A header or query parameter of a HAR document. */
export interface HarPair {
  name: string
  value: string
}
