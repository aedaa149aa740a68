/** Parts of the programs that use generated clients. */

/** Counts the calls of a program, and stops it if a result is wrong. */
export const countAndExpect = `
let calls = 0
function expect(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what)
}
`

/** Reads a response with the openapi-fetch client. */
export const readWithOpenapiFetch = `
/** Returns the data of a response. The generated types make it optional. */
async function read<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call
  calls += 1
  if (data === undefined) throw new Error(response.status + ' ' + JSON.stringify(error))
  return data
}
`

/** Reads a response with the Hey API client. */
export const readWithHeyApi = `
/** Returns the data of a response, which the generated client has checked with zod. */
async function read<T>(call: Promise<{ data: T }>): Promise<T> {
  const { data } = await call
  calls += 1
  return data
}
`
