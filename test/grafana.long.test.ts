import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const dashboard = readFileSync('examples/grafana/dashboard.json', 'utf8')

describe('the dashboard', () => {
  it('matches the schema of Grafana', () => {
    expect(problemsOf(dashboard)).toEqual([])
    expect(problemsOf(dashboard.replace('"gridPos"', '"gridPosition"'))).toHaveLength(1)
    expect(problemsOf(dashboard.replace('"type": "timeseries"', '"type": 1'))).toHaveLength(1)
  })
})

/** Returns what the compiler says about a dashboard as a literal of the type of Grafana's schema. */
function problemsOf(json: string): string[] {
  const file = `${process.cwd()}/dashboard.ts`
  const code = `import type { Dashboard } from '@grafana/schema/dashboard'\nexport const it: Dashboard = ${json}`
  const types = `${process.cwd()}/node_modules/@grafana/schema/dist/types/raw/dashboard/x/types.gen.d.ts`
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    paths: { '@grafana/schema/dashboard': [types] },
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, target, ...rest) =>
    name === file ? ts.createSourceFile(name, code, target) : getSourceFile(name, target, ...rest)
  const program = ts.createProgram([file], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
