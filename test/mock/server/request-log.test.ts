import { expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { logEntryOf } from '../../../mock/server/request-log.ts'
import { serve } from '../../../mock/server/server.ts'

function shownPath(url: string, key: string): string | undefined {
  const request = { method: 'GET', url, headers: { 'x-service-api-key': key } }
  return logEntryOf(request as never, undefined, 0)?.path
}

it.each([
  ['key', '/v2/key/x?key', '/v2/…/x'],
  ['key', '/v2/%6bE%79/KEY', '/v2/…/…'],
  ['a/b+c=é.', '/v2/a%2Fb%2Bc%3D%e9.', '/v2/…'],
  ['k%41', '/v2/k%41/k%2541', '/v2/…/…'],
  ['k%41', '/v2/K%41', '/v2/…'],
  ['k%4a', '/v2/k%4A', '/v2/…'],
  ['4', '/v2/%34/%', '/v2/…/%'],
  ['key', '/v2/other', '/v2/other'],
])('hides the key %s in %s', (key, url, shown) => {
  expect(shownPath(url, key)).toBe(shown)
})

it('logs a request whose key fills the header, without ending the process', async () => {
  const paths: string[] = []
  const log = ({ path }: { path: string }) => paths.push(path)
  const server = await serve(createMock(), { gracePeriod: 0, log })
  onTestFinished(() => server.close())
  const headers = { 'x-service-api-key': 'a'.repeat(14_000) }
  await fetch(`${server.url}/v2/providers`, { headers })
  await expect.poll(() => paths).toEqual(['/v2/providers'])
})

it('compares a long key with a long path', () => {
  expect(shownPath(`/${'a'.repeat(5000)}`, `${'a'.repeat(5000)}b`)).toHaveLength(5001)
  expect(shownPath(`/${'a'.repeat(5000)}b`, `${'a'.repeat(5000)}b`)).toBe('/…')
})
