import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('keeps no long cursor in memory after its page', () => {
  const program = `
    import { ServiceClient } from './src/index.ts'
    const page = (at) => {
      const next_cursor = at < 80 ? String(at).padStart(1024 * 1024, 'c') : null
      return Response.json({ data: [{}], next_cursor })
    }
    let sent = 0
    const fetch = async () => page((sent += 1))
    const client = new ServiceClient({ apiKey: 'k', baseUrl: 'https://service.test', fetch, validation: 'off' })
    for await (const _ of client.link.listBulkOps());
    console.log(sent + ' pages')`
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--max-old-space-size=64', '--input-type=module-typescript', '--eval', program],
    { encoding: 'utf8', timeout: 240_000 },
  )
  expect(stderr).toBe('')
  expect(stdout.trim()).toBe('80 pages')
})
