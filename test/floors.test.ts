import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, it } from 'vitest'

interface Import {
  /** A package, or the path of a file from the root. */
  target: string
  isType: boolean
}

const statement =
  /^\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm

function importsOf(file: string): Import[] {
  return [...readFileSync(file, 'utf8').matchAll(statement)].map(([, type, from, lazy, bare]) => {
    const name = from ?? lazy ?? bare ?? ''
    const target = name.startsWith('.') ? posix.join(posix.dirname(file), name) : name
    return { target, isType: type !== undefined }
  })
}

const files = globSync(['src/**/*.ts', 'mock/**/*.{ts,tsx}']).map((file) =>
  file.replaceAll('\\', '/'),
)
const imports = new Map(files.map((file) => [file, importsOf(file)]))

/** Every import, written `file -> target`, of the files and targets that fit; `not` are files that may. */
function edges(from: RegExp, to: RegExp, not = /^$/): string[] {
  return [...imports].flatMap(([file, found]) =>
    found
      .filter(({ target }) => from.test(file) && !not.test(file) && to.test(target))
      .map(({ target }) => `${file} -> ${target}`),
  )
}

/** Whether an edge is of types alone. */
function isTyped(edge: string): boolean {
  const [file = '', target] = edge.split(' -> ')
  return (imports.get(file) ?? []).every((found) => found.target !== target || found.isType)
}

it('finds the imports it speaks of', () => {
  expect(edges(/^src\/client\.ts$/, /^src\/transport\.ts$/)).toHaveLength(1)
  expect(edges(/^src\/contract\/check\.ts$/, /^src\/contract\/compile\.ts$/)).toHaveLength(1)
  expect(edges(/^mock\/index\.ts$/, /^mock\/mock\.ts$/)).not.toHaveLength(0)
})

it('lets the contract import zod and nothing else', () => {
  expect(edges(/^src\/contract\//, /^(?!src\/contract\/|zod\/mini$)/)).toEqual([])
})

it('keeps client and mock apart above the contract', () => {
  expect(edges(/^src\//, /^mock\//)).toEqual([])
  // The fixtures give a client of the mock's team; what stands on the contract alone serves both.
  const above =
    /^src\/(?!(?:contract|openapi|conformance)\/|events\/signature\.ts$|peers\.ts$|version\.ts$)/
  expect(edges(/^mock\//, above, /^mock\/vitest\.ts$/)).toEqual([])
})

it.each(['events', 'openapi', 'conformance'])('derives %s from the contract alone', (name) => {
  const elsewhere = new RegExp(`^src/(?!(?:contract|${name})/|version\\.ts$)`)
  expect(edges(new RegExp(`^src/${name}/`), elsewhere)).toEqual([])
})

it('lets the inspector know of the mock only what the control API and the contract tell', () => {
  const isPage = /^mock\/inspector\/page\.ts$/
  const elsewhere = /^(?!mock\/inspector\/|src\/contract\/|preact(?:\/hooks)?$)/
  const values = edges(/^mock\/inspector\//, elsewhere, isPage).filter((edge) => !isTyped(edge))
  expect(values).toEqual([])
  expect(edges(/^(?!mock\/inspector\/)/, /^mock\/inspector\//)).toEqual([
    'mock/control/control.ts -> mock/inspector/page.ts',
  ])
})

it.each([
  { floor: 'the resources', of: /^src\/resources\//, from: /^src\/(?!client|index)/ },
  { floor: 'the client', of: /^src\/client\.ts$/, from: /^src\/(?!index)/ },
  { floor: 'the entries of the client', of: /^src\/(?:index|otel)\.ts$/, from: /^(?!src\/node\/)/ },
  { floor: 'the routes', of: /^mock\/routes\//, from: /^mock\/(?!routes)/ },
  {
    floor: 'the mock',
    of: /^mock\/mock\.ts$/,
    from: /^mock\/(?!conformance|control|index|msw|vitest|server)/,
  },
  {
    floor: 'the entries of the mock',
    of: /^mock\/(?:conformance|index|msw|remote|vitest|server)\.ts$/,
    from: /^(?!mock\/(?:cli|node)\/)/,
  },
])('imports $floor from above only', ({ of, from }) => {
  expect(edges(from, of, of)).toEqual([])
})

it('has no circle of imports, but for types', () => {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || done.has(file)) return
    for (const { target, isType } of imports.get(file) ?? []) {
      if (!isType) visit(target, [...path, file])
    }
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

it.each([
  { thing: /^ky$/, door: /^src\/transport\.ts$/ },
  { thing: /^msw$/, door: /^mock\/msw\.ts$/ },
  { thing: /^vitest$/, door: /^mock\/vitest\.ts$/ },
  { thing: /^@opentelemetry\//, door: /^src\/otel\.ts$/ },
  { thing: /^@faker-js\//, door: /^mock\/generate\// },
  { thing: /^hyparquet/, door: /^(?:src\/parquet\/|mock\/parquet\.ts$)/ },
  { thing: /^modern-tar/, door: /^(?:src\/parquet\/|mock\/parquet\.ts$)/ },
  { thing: /^zod/, door: /^src\/(?:contract|openapi)\/|^mock\// },
  { thing: /^node:(?:fs|stream)/, door: /^src\/download\.ts$/ },
  { thing: /^node:(?:http|net)$/, door: /^mock\/(?:server|socket)\.ts$/ },
  { thing: /^node:crypto$/, door: /^mock\/control\.ts$/ },
  { thing: /^(?:commander|node:util)$/, door: /^mock\/cli/ },
  { thing: /^preact/, door: /^mock\/inspector\// },
  { thing: /^tsup\.inspector\.ts$/, door: /^mock\/inspector\/page\.ts$/ },
])('meets $thing at its door alone', ({ thing, door }) => {
  expect(edges(/^/, thing, door)).toEqual([])
})

it('imports nothing from outside that has no door', () => {
  const unknown =
    /^(?!(?:src|mock)\/|@faker-js\/faker(?:\/|$)|(?:commander|tsup\.inspector\.ts|preact(?:\/hooks)?|ky|msw|vitest|hyparquet(?:\/src\/(?:column|constants|delta|schema|thrift)\.js)?|hyparquet-writer|@opentelemetry\/api|modern-tar|zod\/mini|node:(?:crypto|http|net|util|(?:fs|stream)\/promises))$)/
  expect(edges(/^/, unknown)).toEqual([])
})

it('writes every public name out', () => {
  const wholesale = files.filter((file) => /^export \*/m.test(readFileSync(file, 'utf8')))
  expect(wholesale).toEqual([])
})
