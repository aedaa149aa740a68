import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApi } from '../../src/openapi/document.ts'
import { build } from '../support/built.ts'

let folder = ''
let built: Record<string, string> = {}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'health-lab-sdk-'))
  build(folder)
  const files = globSync('**/*', { cwd: folder }).filter((file) => /\.(?:js|d\.ts)$/.test(file))
  built = Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true }))

function files(pattern: RegExp, content: RegExp): string[] {
  return Object.keys(built).filter((file) => pattern.test(file) && content.test(built[file] ?? ''))
}

it('declares every entry point', () => {
  expect(
    files(
      /^(?:index|otel|(?:events|parquet|conformance)\/index|mock\/(?:conformance|index|msw|remote|server|vitest))\.d\.ts$/,
      /export \{/,
    ),
  ).toHaveLength(11)
})

it('holds the OpenAPI document as a file', () => {
  const document = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'))
  expect(document).toEqual(openApi())
})

it.each([
  { foreign: 'zod', mention: /zod|\bz\d*\./i },
  { foreign: 'schemas', mention: /\{[^}]*\bSchema\b[^}]*\}(?: from|;)/ },
  { foreign: 'ky', mention: /from 'ky'/ },
])('mentions nothing of $foreign in a declaration', ({ mention }) => {
  expect(files(/\.d\.ts$/, mention)).toEqual([])
})

/** The files that an entry point loads at once. */
function loadedBy(file: string): string[] {
  const imports = [...(built[file] ?? '').matchAll(/^(?:import|export|\}) .*?"\.\/(\S+\.js)"/gm)]
  return [file, ...imports.flatMap(([, imported = '']) => loadedBy(imported))]
}

it('loads the compiler of checks at the first call only', () => {
  const [compiler = ''] = files(/\.js$/, /z\d*\.compile\(/)
  expect(compiler).not.toBe('')
  expect(loadedBy('index.js').length).toBeGreaterThan(1)
  expect(loadedBy('index.js')).not.toContain(compiler)
})

it('loads nothing of the control API before it is asked', () => {
  const [control = ''] = files(/\.js$/, /x-mock-token in|header x-mock-token/)
  expect(control).not.toBe('')
  expect(loadedBy('mock/server.js')).not.toContain(control)
  expect(loadedBy('mock/remote.js').join()).not.toMatch(/index|mock\/server/)
})

it('loads faker, MSW, Vitest and OpenTelemetry only where they are asked for', () => {
  expect(files(/^index\.js$/, /from "(?:msw|@faker-js|@opentelemetry)/)).toEqual([])
  expect(files(/\.js$/, /from "msw"/)).toEqual(['mock/msw.js'])
  expect(files(/\.js$/, /from "vitest"/)).toEqual(['mock/vitest.js'])
  expect(files(/\.js$/, /from "@opentelemetry/)).toEqual(['otel.js'])
})
