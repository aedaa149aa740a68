import * as fc from 'fast-check'
import { RequestValidationError, ServiceClient } from '../../src/index.ts'
import { ensure, expectKind, type Target, target } from './target.ts'

const bases = ['https://service.test', 'https://service.test/', 'http://10.0.0.1:8080/base/v9']

const nasty = fc.constantFrom(
  ...['', '.', '..', '%2e', '%2E%2e', '.%2e', '//', '\\', '/', '?', '#', '@', ':', ';', '%'],
  ...['%00', '%2f', '%5c', '\t', '\n', '\r', ' ', '\u0000', '\u2028', '\ud800', 'é', '{id}'],
  ...['evil.test', 'https:', 'http://evil.test', 'v2', 'user', '{other}', '%7Bid%7D'],
)
const piece = fc.oneof({ weight: 3, arbitrary: nasty }, fc.string({ unit: 'binary', maxLength: 4 }))
const path = fc
  .array(piece, { maxLength: 6 })
  .chain((pieces) =>
    fc.constantFrom(pieces.join('/'), `/${pieces.join('/')}`, `/${pieces.join('')}`),
  )
const value = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(''))

/** Sends requests with random paths. Each URL stays below the base URL, or the request is not sent. */
export const pathsTarget: Target = target(
  'paths',
  fc.record({
    base: fc.constantFrom(...bases),
    path,
    id: value,
    other: value,
    query: fc.dictionary(fc.string({ maxLength: 5 }), value, { maxKeys: 2 }),
  }),
  async ({ base, path, id, other, query }) => {
    let sent: string | undefined
    const fetch = async ({ url }: Request) => {
      sent = url
      return Response.json({})
    }
    const client = new ServiceClient({ apiKey: 'key', baseUrl: base, fetch })
    try {
      await client.request('GET', path, { params: { id, other }, query })
    } catch (error) {
      expectKind(error, RequestValidationError)
      ensure(sent === undefined, 'an invalid request is not sent')
      return
    }
    ensure(sent !== undefined, 'a valid request is sent')
    checkUrl(sent, base, path, { id, other })
    checkQuery(sent, query)
  },
)

function checkUrl(sent: string, base: string, path: string, params: Record<string, string>): void {
  const below = new URL(base.replace(/\/+$/, ''))
  const url = new URL(sent)
  ensure(url.origin === below.origin, `${sent} has the origin of the base URL`)
  ensure(url.username === '' && url.hash === '', `${sent} has no user and no fragment`)
  const root = below.pathname.replace(/\/+$/, '')
  ensure(url.pathname.startsWith(`${root}/`), `${sent} is below the base URL`)
  const segments = url.pathname.slice(root.length).split('/')
  const expected = path.split('/')
  ensure(segments.length === expected.length, `${sent} has the segments of ${path}`)
  for (const [at, segment] of expected.entries()) {
    const name = /^\{(id|other)\}$/.exec(segment)?.[1]
    if (name === undefined) continue
    ensure(decodeURIComponent(segments[at] ?? '') === params[name], `${name} is one segment`)
  }
}

function checkQuery(sent: string, query: Record<string, string>): void {
  const found = JSON.stringify([...new URL(sent).searchParams])
  const given = Object.entries(query).map((pair) => pair.map((text) => text.toWellFormed()))
  ensure(found === JSON.stringify(given), `the query is ${JSON.stringify(given)}`)
}
