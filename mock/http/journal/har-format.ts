/** The journal as an HTTP Archive (HAR 1.2). */
export interface Har {
  /** The requests, and the program that created the log. */
  log: {
    /** The format's version. */
    version: '1.2'
    /** The program that created the log. */
    creator: HarCreator
    /** The requests, oldest first. */
    entries: HarEntry[]
  }
}

/** The program that created a HAR document. */
export interface HarCreator {
  /** The program's name. */
  name: string
  /** The program's version. */
  version: string
}

/** A request in a HAR document, with its response. */
export interface HarEntry {
  /** The virtual time at which the request arrived (ISO 8601). */
  startedDateTime: string
  /** The duration in milliseconds: always 0, because real time is not measured. */
  time: 0
  /** The request, with its data redacted. */
  request: HarRequest
  /** The response, with its data redacted. */
  response: HarResponse
  /** Always empty. */
  cache: {}
  /** The timings, all 0, because real time is not measured. */
  timings: HarTimings
  /** The request's operation and outcome. */
  comment: string
}

/** The fields common to HAR requests and responses. */
export interface HarMessage {
  /** The HTTP version. */
  httpVersion: 'HTTP/1.1'
  /** Always empty, because the service uses no cookies. */
  cookies: readonly []
  /** The headers. */
  headers: HarPair[]
  /** Always -1: sizes are not measured. */
  headersSize: -1
  /** Always -1: sizes are not measured. */
  bodySize: -1
}

/** A request in a HAR document. */
export interface HarRequest extends HarMessage {
  /** The HTTP method, or `redacted` if unknown. */
  method: string
  /** The URL with the specification's path template, or `unknown` for an unknown route. */
  url: string
  /** The query parameters. */
  queryString: HarPair[]
  /** The body, if the request has one. */
  postData?: HarContent
}

/** A response in a HAR document. */
export interface HarResponse extends HarMessage {
  /** The status, or 0 if the request has no response. */
  status: number
  /** Always empty. */
  statusText: ''
  /** The body, with types instead of values. */
  content: HarContent
  /** Always empty. */
  redirectURL: ''
}

/** A body in a HAR document. */
export interface HarContent {
  /** The media type, such as `application/json`. */
  mimeType: string
  /** The body as JSON, with each value except null replaced by its type. */
  text: string
  /** Always -1: sizes are not measured. */
  size?: -1
}

/** A request's timings in a HAR document, in milliseconds. */
export interface HarTimings {
  /** The time to send the request. */
  send: 0
  /** The time until the response starts. */
  wait: 0
  /** The time to receive the response. */
  receive: 0
}

/** A header or query parameter in a HAR document. */
export interface HarPair {
  /** The name, or `redacted`. */
  name: string
  /** The value, its type, or `redacted`. */
  value: string
}
