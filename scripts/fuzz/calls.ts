import { ServiceClient, ServiceError } from '../../src/index.ts'
import { ensure, expectKind } from './target.ts'

export interface ObservedCall {
  /** The method, URL, headers and body of each request. */
  requests: string[]
  /** The error; undefined if the call succeeded. */
  error: ServiceError | undefined
}

/** Called for each attempt. */
export type Respond = () => Response

const id = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
const order = { user_id: id, patient_details: {}, patient_address: {}, order_set: {} }

/** One call for each effect. The client does not validate the input of these calls. */
export const calls = {
  'read-only': (client: ServiceClient) =>
    client.request('GET', '/v2/user/{id}', { params: { id } }),
  idempotent: (client: ServiceClient) => client.users.createSignInToken(id),
  'non-idempotent': (client: ServiceClient) => client.request('POST', '/v3/order', { body: order }),
}
export type CallName = keyof typeof calls

/** Makes a call whose waits take no time. Throws if the call's error is not a ServiceError. */
export async function observeCall(
  name: CallName,
  respond: Respond,
  exposeDetail = false,
): Promise<ObservedCall> {
  const requests: string[] = []
  const fetch = async (request: Request) => {
    const body = await request.text()
    const headers = [...request.headers].map((header) => header.join(': ')).join('; ')
    requests.push([request.method, request.url, headers, request.redirect, body].join(' '))
    return respond()
  }
  const clock = { now: () => 0, sleep: async () => {} }
  const options = { apiKey: 'key', baseUrl: 'https://service.test', fetch, clock, exposeDetail }
  try {
    await calls[name](new ServiceClient(options))
    return { requests, error: undefined }
  } catch (error) {
    expectKind(error, ServiceError)
    ensure(error instanceof ServiceError, 'the error is a ServiceError')
    return { requests, error }
  }
}
