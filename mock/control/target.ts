/** The plain parts of a request over HTTP. */
export interface Target {
  method: string
  /** Path and query, as they were asked for. */
  url: string
  path: string
  search: URLSearchParams
  headers: Readonly<Record<string, string>>
}
