import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { blocksOf } from '../../docs/.vitepress/code/blocks.ts'

const text = readFileSync('AGENTS.md', 'utf8')

function run(...parts: string[]): string {
  return execFileSync(process.execPath, parts, { encoding: 'utf8' })
}

it('prints at most 8 KB for coding agents', () => {
  expect(run('mock/cli.ts', 'agents')).toBe(text)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8192)
})

it('contains a program that runs', () => {
  const [program] = blocksOf(text).filter(({ language }) => language === 'ts')
  const sources = ['--import', './scripts/package-sources.ts', '--input-type=module-typescript']
  expect(run(...sources, '--eval', program?.code ?? '')).toBe('booked 1\n')
})

it('names only methods, entry points and commands that exist', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
  const subpaths = [...text.matchAll(/health-lab-sdk\/([\w/]+)/g)].map(([, path]) => `./${path}`)
  expect(subpaths.filter((path) => !(path in exports))).toEqual([])
  const methods = readFileSync('llms.txt', 'utf8')
  const used = [...text.matchAll(/`(client\.\w+\.\w+)\(/g)].map(([, method = '']) => method)
  expect(used.filter((method) => !methods.includes(method))).toEqual([])
})
