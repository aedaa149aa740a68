import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  ConnectionError,
  type Download,
  InternalServerError,
  NotFoundError,
  type RequestOptions,
  ResponseValidationError,
  ServiceClient,
  TimeoutError,
} from '../../../src/index.ts'
import { failureOf } from '../../support/failure.ts'
import {
  type Behaviour,
  loseResponse,
  respondWith,
  respondWithText,
  scriptedServer,
} from '../../support/programs/scripted-server.ts'
import { orderId } from '../../support/samples.ts'

const pdf = Buffer.from('%PDF-1.7 a requisition'.repeat(10_000))
const head = { 'content-type': 'application/pdf', 'content-length': String(pdf.length) }

const whole: Behaviour = (response) => void response.writeHead(200, head).end(pdf)
const half = pdf.subarray(0, pdf.length / 2)
const cutInside: Behaviour = (response) => {
  response.writeHead(200, head)
  response.write(half, () => response.destroy())
}
const stallInside: Behaviour = (response) => {
  response.writeHead(200, head)
  response.write(half)
}

/** The same behaviour, and a promise that the client closed the connection. */
function noticingClose(behave: Behaviour) {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const behaviour: Behaviour = (response, request) => {
    response.on('close', resolve)
    behave(response, request)
  }
  return { behaviour, closed }
}

async function start(behaviours: Behaviour[], options: RequestOptions = {}) {
  const server = await scriptedServer(...behaviours)
  const client = new ServiceClient({ apiKey: 'key', baseUrl: server.baseUrl })
  return { call: client.orders.downloadRequisition(orderId, options), server }
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'download-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

it('returns the bytes, their media type and their length', async () => {
  const { call, server } = await start([whole])
  const download = await call
  expect(download).toMatchObject({ contentType: 'application/pdf', size: pdf.length })
  expect(Buffer.from(await download.bytes()).equals(pdf)).toBe(true)
  expect(server.requests[0]?.headers).toMatchObject({
    accept: 'application/pdf',
    'accept-encoding': 'identity',
  })
})

it.each([
  ['another success status', 203, 'application/pdf'],
  ['a file name that contains html', 200, 'application/pdf; name="html.pdf"'],
])('returns the bytes of a response with %s', async (_, status, type) => {
  const { call } = await start([respondWithText(status, 'a form', type)])
  await expect((await call).bytes()).resolves.toHaveLength(6)
})

describe('is rejected', () => {
  const zipped = gzipSync(pdf)
  const encoded = { 'content-type': 'application/pdf', 'content-encoding': 'gzip' }
  const range = { ...head, 'content-range': `bytes 0-${pdf.length - 1}/${pdf.length * 2}` }
  it.each<[string, Behaviour, string]>([
    [
      'with an encoding, because fetch accepts truncated ones',
      (response) => {
        const bytes = zipped.subarray(0, zipped.length / 2)
        response.writeHead(200, { ...encoded, 'content-length': bytes.length }).end(bytes)
      },
      'expected no content-encoding',
    ],
    [
      'without a body',
      (response) => void response.writeHead(204).end(),
      'expected a file instead of HTML, JSON or an empty body',
    ],
    [
      'with 0 bytes',
      (response) => void response.writeHead(200, { ...head, 'content-length': 0 }).end(),
      'expected a file instead of HTML, JSON or an empty body',
    ],
    [
      'with a page of a proxy',
      respondWithText(200, '<html>', 'Text/HTML; charset=utf-8'),
      'expected a file instead of HTML, JSON or an empty body',
    ],
    [
      'with JSON',
      respondWithText(200, '{"a":1}', 'application/json'),
      'expected a file instead of HTML, JSON or an empty body',
    ],
    [
      'with a part of the file',
      (response) => void response.writeHead(206, range).end(pdf),
      'expected the whole body instead of a range',
    ],
  ])('a response %s', async (_, behave, expected) => {
    const { behaviour, closed } = noticingClose(behave)
    const path = await folder()
    const { call, server } = await start([behaviour])
    const saved = call.then((download) => download.save(join(path, 'requisition.pdf')))
    const error = await failureOf(saved, ResponseValidationError)
    expect(error.message).toContain(expected)
    expect(server.requests).toHaveLength(1)
    await expect(readdir(path)).resolves.toEqual([])
    await server.close()
    await closed
  })

  it('a body of 0 bytes without a content-length', async () => {
    const path = join(await folder(), 'requisition.pdf')
    await writeFile(path, 'earlier')
    const head = { 'content-type': 'application/pdf', 'transfer-encoding': 'chunked' }
    const { call } = await start([(response) => void response.writeHead(200, head).end()])
    const download = await call
    const error = await failureOf(download.save(path), ConnectionError)
    expect(error.message).toContain('(ERR_BODY_LENGTH)')
    await expect(readFile(path, 'utf8')).resolves.toBe('earlier')
  })

  it('as bytes when it is larger than 100 MiB, with or without a length', async () => {
    const mebibyte = new Uint8Array(1024 * 1024)
    for (const headers of [{}, { 'content-length': String(101 * mebibyte.length) }]) {
      let pulled = 0
      const fetch = async () => {
        const pull = (controller: ReadableStreamDefaultController) => {
          pulled += 1
          controller.enqueue(mebibyte)
        }
        return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { headers })
      }
      const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
      const download = await client.orders.downloadRequisition(orderId)
      const error = await failureOf(download.bytes(), ResponseValidationError)
      expect(error.message).toContain(
        'at most 104857600 bytes for bytes(). Use save() or the stream',
      )
      expect(pulled).toBeLessThan(105)
    }
  })
})

it('requests no encoding, whatever accept-encoding the caller sets', async () => {
  const { call, server } = await start([whole], { headers: { 'accept-encoding': 'gzip' } })
  await (await call).cancel()
  expect(server.requests[0]?.headers['accept-encoding']).toBe('identity')
})

it.each<[string, (download: Download, path: string) => Promise<unknown>]>([
  ['saved', (download, path) => download.save(join(path, 'first.pdf'))],
  ['read as bytes', (download) => download.bytes()],
  ['read as a stream', (download) => new Response(download.stream).arrayBuffer()],
  ['cancelled', (download) => download.cancel()],
])('is not saved or read again after it was %s', async (_, consume) => {
  const path = await folder()
  const { call } = await start([whole])
  const download = await call
  await consume(download, path)
  const place = join(path, 'requisition.pdf')
  await writeFile(place, 'an earlier one')
  for (const again of [() => download.save(place), () => download.bytes()]) {
    await expect(again()).rejects.toThrow('the body was already read or cancelled')
  }
  await expect(readFile(place, 'utf8')).resolves.toBe('an earlier one')
})

it.each([undefined, ''])('rejects the path %j and stays readable', async (path) => {
  const { call } = await start([whole])
  const download = await call
  await expect(download.save(path as string)).rejects.toThrow(
    'Expected the file path to be a non-empty string.',
  )
  await expect(download.bytes()).resolves.toHaveLength(pdf.length)
})

it('streams the bytes as they arrive', async () => {
  const { call } = await start([whole])
  let read = 0
  for await (const chunk of (await call).stream) read += chunk.byteLength
  expect(read).toBe(pdf.length)
})

it('saves to a file and replaces an existing one', async () => {
  const path = join(await folder(), 'requisition.pdf')
  await writeFile(path, 'x'.repeat(pdf.length * 2))
  const { call } = await start([whole])
  await (await call).save(path)
  expect((await readFile(path)).equals(pdf)).toBe(true)
})

it.each([
  ['404', respondWith(404, { detail: 'Order not found' }), NotFoundError],
  ['500', respondWith(500, undefined), InternalServerError],
])('rejects on %s with the error of its status', async (_, behaviour, Kind) => {
  const { call } = await start([behaviour], { maxRetries: 0 })
  await failureOf(call, Kind)
})

it('is retried until a response starts, like any read-only call', async () => {
  const { call, server } = await start([loseResponse, whole])
  await expect((await call).bytes()).resolves.toHaveLength(pdf.length)
  expect(server.requests).toHaveLength(2)
})

it('reports a cut body as a failed connection and does not retry', async () => {
  const { call, server } = await start([cutInside])
  const error = await failureOf((await call).bytes(), ConnectionError)
  expect(error).toMatchObject({ operation: 'orders.downloadRequisition', outcome: 'unknown' })
  expect(server.requests).toHaveLength(1)
})

it('times out when no byte arrives for the length of the timeout', async () => {
  const { call } = await start([stallInside], { timeout: 60 })
  const error = await failureOf((await call).bytes(), TimeoutError)
  expect(error.message).toContain('timeout (60 ms)')
  expect(error.outcome).toBe('unknown')
})

it.each([
  ['cut', cutInside, ConnectionError],
  ['stalled', stallInside, TimeoutError],
])('leaves no file when the body is %s', async (_, behaviour, Kind) => {
  const path = await folder()
  const { call } = await start([behaviour], { timeout: 60 })
  await failureOf((await call).save(join(path, 'requisition.pdf')), Kind)
  await expect(readdir(path)).resolves.toEqual([])
})

it('reports a body that something else reads as a failed connection', async () => {
  const response = new Response('bytes')
  response.body?.getReader()
  const options = { apiKey: 'key', baseUrl: 'https://service.test', fetch: async () => response }
  const call = new ServiceClient(options).orders.downloadRequisition(orderId)
  const error = await failureOf(call, ConnectionError)
  expect(error).toMatchObject({ outcome: 'unknown', attempts: [{ status: 200 }] })
})

it('keeps the existing file when the body is cut', async () => {
  const path = join(await folder(), 'requisition.pdf')
  await writeFile(path, 'an earlier one')
  const { call } = await start([cutInside])
  await failureOf((await call).save(path), ConnectionError)
  await expect(readFile(path, 'utf8')).resolves.toBe('an earlier one')
})

it('saves to the target of a symbolic link', async () => {
  const path = await folder()
  await writeFile(join(path, 'there.pdf'), '')
  await symlink('there.pdf', join(path, 'here.pdf'))
  const { call } = await start([whole])
  await (await call).save(join(path, 'here.pdf'))
  expect((await readFile(join(path, 'there.pdf'))).equals(pdf)).toBe(true)
  await expect(readdir(path)).resolves.toHaveLength(2)
})

it('keeps a file that it cannot open, and frees the connection', async () => {
  const path = await folder()
  await mkdir(join(path, 'taken'))
  const { behaviour, closed } = noticingClose(stallInside)
  const { call } = await start([behaviour])
  const saved = (await call).save(join(path, 'taken'))
  await expect(saved).rejects.toMatchObject({ code: 'EISDIR' })
  await expect(readdir(path)).resolves.toEqual(['taken'])
  await closed
})

// Linux has a file that is always full.
it.runIf(existsSync('/dev/full'))('frees the connection when the disk is full', async () => {
  const { behaviour, closed } = noticingClose(stallInside)
  const { call } = await start([behaviour])
  await expect((await call).save('/dev/full')).rejects.toMatchObject({ code: 'ENOSPC' })
  await closed
})

it('reports that a platform has no file system, and frees the connection', async () => {
  const { behaviour, closed } = noticingClose(stallInside)
  const { call } = await start([behaviour])
  const download = await call
  const { getBuiltinModule } = process
  onTestFinished(() => void Object.assign(process, { getBuiltinModule }))
  Object.assign(process, { getBuiltinModule: undefined })
  await expect(download.save('requisition.pdf')).rejects.toThrow(
    'orders.downloadRequisition: this platform has no file system',
  )
  await closed
})

it('can be cancelled after its bytes have been read', async () => {
  const { call } = await start([whole])
  const download = await call
  await download.bytes()
  await expect(download.cancel()).resolves.toBeUndefined()
  await expect(download.bytes()).rejects.toThrow('the body was already read or cancelled')
})

it('can be cancelled, which closes the connection', async () => {
  const { behaviour, closed } = noticingClose(stallInside)
  const { call } = await start([behaviour])
  await (await call).cancel()
  await closed
})

it('rejects with the reason of an abort while it is read', async () => {
  const controller = new AbortController()
  const { call } = await start([stallInside], { signal: controller.signal })
  const reader = (await call).stream.getReader()
  const reason = new Error('the patient left')
  const walk = async () => {
    for (let read = 0; ; ) {
      read += (await reader.read()).value?.byteLength ?? 0
      if (read >= half.length) controller.abort(reason)
    }
  }
  await expect(walk()).rejects.toBe(reason)
})

it('rejects with the reason of an abort that came before it is read', async () => {
  const controller = new AbortController()
  const { call } = await start([whole], { signal: controller.signal })
  const download = await call
  const reason = new Error('the patient left')
  controller.abort(reason)
  await expect(download.bytes()).rejects.toBe(reason)
})

it.each<[string, (download: Download) => Promise<unknown>]>([
  ['bytes', (download) => download.bytes()],
  ['save', async (download) => download.save(join(await folder(), 'form.pdf'))],
])('fails when a custom fetch returns text instead of bytes: %s', async (_, read) => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue('%PDF')
      controller.close()
    },
  })
  const fetch = async () => new Response(body)
  const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
  const download = await client.orders.downloadRequisition(orderId)
  const error = await failureOf(read(download), ConnectionError)
  expect(error.outcome).toBe('unknown')
})

it.each(['save', 'bytes'] as const)(
  'reads the whole body once when %s runs first',
  async (first) => {
    const { call } = await start([whole])
    const download = await call
    const path = join(await folder(), 'form.pdf')
    const reads = { save: () => download.save(path), bytes: () => download.bytes() }
    const one = reads[first]()
    const other = reads[first === 'save' ? 'bytes' : 'save']()
    await expect(other).rejects.toThrow(/: the body was already read or cancelled\. Call/)
    const bytes = (await one) ?? (await readFile(path))
    expect(Buffer.from(bytes).equals(pdf)).toBe(true)
  },
)
