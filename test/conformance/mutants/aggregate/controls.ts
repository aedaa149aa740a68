import { packTar, unpackTar } from 'modern-tar'
import { after, changeResponses, type Json, type Mutant, rejectCalls } from '../../mutant.ts'
import { aggregate } from '../targets.ts'

const only = ['2.9', '2.10', '4.11', '4.12', '9']
const parquet = 'application/vnd.service.tar+gzip+parquet'

/** A legal variation of the answers to aggregate queries, and of summaries. */
function legal(name: string, between: NonNullable<Mutant['between']>): Mutant {
  return { name, only, between }
}

function tables(change: (table: Record<string, Json[]>) => void) {
  return changeResponses(aggregate, ({ results }) => {
    for (const { table } of results) change(table)
  })
}

function rewriteIndex(change: (value: string) => string) {
  return tables((table) => {
    table['index'] = (table['index'] ?? []).map(change)
  })
}

const summaries = /^GET \/v2\/summary\//

type TarFiles = Awaited<ReturnType<typeof unpackTar>>

/** Returns a variation whose archives contain the same files in another form. */
function archives(name: string, change: (files: TarFiles) => TarFiles): Mutant {
  return legal(name, (fetch) => async (input, init) => {
    const response = await fetch(input, init)
    const isArchive = new Headers(init?.headers).get('accept') === parquet && response.ok
    return isArchive ? repack(response, change) : response
  })
}

async function repack(archive: Response, change: (files: TarFiles) => TarFiles): Promise<Response> {
  const tar = archive.body?.pipeThrough(new DecompressionStream('gzip'))
  const files = await unpackTar(new Uint8Array(await new Response(tar).arrayBuffer()))
  const entries = change(files).map(({ header, data }) => ({ header, body: data }))
  // A tar of one piece has a buffer of its own.
  const packed = (await packTar(entries)) as Uint8Array<ArrayBuffer>
  const body = new Blob([packed]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Response(body, { headers: { 'content-type': 'application/octet-stream' } })
}

export const aggregateControls: Mutant[] = [
  legal(
    'returns further fields beside the tables',
    changeResponses(aggregate, (body) => {
      body.took = 12
      for (const result of body.results) result.warnings = []
    }),
  ),
  legal(
    'returns the columns in another order',
    changeResponses(aggregate, ({ results }) => {
      for (const result of results) {
        result.table = Object.fromEntries(Object.entries(result.table).toReversed())
      }
    }),
  ),
  legal(
    'returns the rows of a table in another order',
    tables((table) => {
      for (const column of Object.values(table)) column.reverse()
    }),
  ),
  legal(
    'returns index with a zero offset',
    rewriteIndex((value) => `${value}+00:00`),
  ),
  legal(
    'returns index with Z and a fraction',
    rewriteIndex((value) => `${value}.000Z`),
  ),
  legal(
    'rounds numbers to six decimals',
    tables((table) => {
      for (const column of Object.values(table)) {
        column.forEach((value, at) => {
          if (typeof value === 'number') column[at] = Number(value.toFixed(6))
        })
      }
    }),
  ),
  {
    name: 'has users without health data',
    options: { generatedData: false },
  },
  {
    name: 'has no closed beta of aggregate queries',
    only,
    options: { aggregate: false },
  },
  legal(
    'knows no columns of sleep',
    rejectCalls(aggregate, ({ body }) => JSON.stringify(body).includes('duration_second')),
  ),
  legal(
    'has no where',
    rejectCalls(aggregate, ({ body }) => JSON.stringify(body).includes('"where"')),
  ),
  legal(
    'has no groups of months and years',
    rejectCalls(aggregate, ({ body }) => /"(?:month|year)"/.test(JSON.stringify(body))),
  ),
  legal(
    'rejects queries with status 400 and a text',
    after(aggregate, ({ status }) => (status >= 400 ? { status: 400, body: 'No' } : {})),
  ),
  legal(
    'returns results of aggregate queries as JSON with a charset',
    after(aggregate, ({ headers }) => {
      headers.set('content-type', 'application/json;charset=UTF-8')
      return {}
    }),
  ),
  archives('returns Parquet files in another order of the archive', (files) => files.toReversed()),
  // Python's tarfile writes such headers for times with fractions of seconds.
  archives('returns Parquet files with extended headers', (files) =>
    files.map((file) => ({ ...file, header: { ...file.header, pax: { mtime: '1748768400.25' } } })),
  ),
  {
    name: 'lets responses take some milliseconds',
    only: ['4.11/parquet', '4.8/confirmed', '3.1/cancelled', '4.5/own-markers'],
    between: (fetch) => async (input, init) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return fetch(input, init)
    },
  },
  legal(
    'returns further fields of summaries',
    changeResponses(summaries, (body) => {
      for (const record of Object.values<Json>(body).find(Array.isArray) ?? [body]) {
        Object.assign(record, { unheard_of: 1, source: { ...record.source, device_id: 'd' } })
      }
    }),
  ),
  legal(
    'returns null for the app of a source',
    changeResponses(summaries, (body) => {
      for (const { source } of Object.values<Json>(body).find(Array.isArray) ?? [body]) {
        source.app_id = null
      }
    }),
  ),
  legal(
    'returns null for deprecated fields of a source',
    changeResponses(summaries, (body) => {
      for (const { source } of Object.values<Json>(body).find(Array.isArray) ?? [body]) {
        source.logo ??= null
      }
    }),
  ),
  legal(
    'has other paths for summaries',
    after(summaries, () => ({ status: 404, body: { detail: 'Not found' } })),
  ),
  { name: 'still returns deprecated fields', only, options: { deprecatedFields: 'always' } },
]
