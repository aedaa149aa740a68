import { describe, expect, it } from 'vitest'
import { requireLazily } from '../../scripts/build/to-common-js.ts'

/** Runs a converted file with other files, and returns what it exports and which files it loaded. */
function run(code: string, files: Record<string, object>) {
  const loaded: string[] = []
  const require = (path: string) => {
    loaded.push(path)
    return files[path]
  }
  const module = { exports: {} as Record<string, () => unknown> }
  new Function('require', 'module', requireLazily(code))(require, module)
  return { exports: module.exports, loaded }
}

describe('a converted file', () => {
  it('loads a shared file once, when one of its names is first used', () => {
    const code =
      'var import_chunk_A=require("./chunk-A.cjs");module.exports={sum:()=>(0,import_chunk_A.add)(1,2)};'
    const { exports, loaded } = run(code, {
      './chunk-A.cjs': { add: (a: number, b: number) => a + b },
    })
    expect(loaded).toEqual([])
    expect([exports['sum']?.(), exports['sum']?.()]).toEqual([3, 3])
    expect(loaded).toEqual(['./chunk-A.cjs'])
  })

  it('creates instances of shared classes', () => {
    class Shared {}
    const code =
      'var import_chunk_A=require("./chunk-A.cjs");module.exports={make:()=>new import_chunk_A.Shared()};'
    const { exports } = run(code, { './chunk-A.cjs': { Shared } })
    expect(exports['make']?.()).toBeInstanceOf(Shared)
  })

  it('loads packages and modules of Node at once', () => {
    const code =
      'var import_msw=require("msw");var import_node_path=require("node:path");module.exports={};'
    expect(run(code, {}).loaded).toEqual(['msw', 'node:path'])
  })
})
