import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { output, type Trial } from './trial.ts'

const modes = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

/** The compiler options of every compilation. */
const strictest = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
}

/** Compiles the smoke suite and every entry point, including the declarations of libraries. */
function check(version: string, mode: keyof typeof modes, entries: string[]): Trial {
  return {
    name: `TypeScript ${version}`,
    what: `types, module ${mode}`,
    tool: `typescript@${version}`,
    run(consumer, tool) {
      writeFileSync(join(consumer, 'entries.ts'), importsOf(entries))
      const compilerOptions = {
        ...modes[mode],
        ...strictest,
        allowImportingTsExtensions: true,
        noEmit: true,
      }
      const settings = { compilerOptions, files: ['smoke.ts', 'entries.ts'] }
      writeFileSync(join(consumer, `tsconfig.${mode}.json`), JSON.stringify(settings))
      const command = join(tool, 'node_modules/.bin/tsc')
      output(consumer, command, '--project', `tsconfig.${mode}.json`)
      return `${entries.length} entry points`
    },
  }
}

function importsOf(entries: string[]): string {
  const imports = entries.map((entry, at) => `import * as entry${at} from '${entry}'`)
  const uses = entries.map((_, at) => `entry${at}`)
  return `${imports.join('\n')}\nexport default [${uses}]\n`
}

/**
 * Compiles the smoke suite to CommonJS, with the default resolution of this version, and runs it. Vitest is only an ES
 * module, and the declarations of MSW 3 do not support `node10`, the default of TypeScript 5.
 */
function compile(version: string, node: string, entries: string[]): Trial {
  return {
    name: `TypeScript ${version}`,
    what: `module commonjs, on Node ${node}`,
    tool: `typescript@${version}`,
    node,
    run(consumer, tool, command) {
      const folder = join(consumer, `commonjs-${version}`)
      mkdirSync(folder)
      const smoke = readFileSync(join(consumer, 'smoke.ts'), 'utf8')
      const compilerOptions = { ...strictest, module: 'commonjs', rootDir: '.', outDir: '.' }
      const files: Record<string, string> = {
        'package.json': '{}',
        'tsconfig.json': JSON.stringify({ compilerOptions, files: ['main.ts'] }),
        'samples.ts': readFileSync(join(consumer, 'samples.ts'), 'utf8'),
        'smoke.ts': smoke.replace('./samples.ts', './samples'),
        'entries.ts': importsOf(entries.filter((entry) => !/msw|playwright|vitest/.test(entry))),
        'main.ts':
          "import './entries'\nimport { smoke } from './smoke'\nsmoke().then(console.log)\n",
      }
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      output(folder, join(tool, 'node_modules/.bin/tsc'), '--project', '.')
      return `${output(folder, command, '--no-warnings', 'main.js')} checks`
    },
  }
}

export function types(entries: string[]): Trial[] {
  const versions = { '5.9.3': '22.23.3', '6.0.3': '24.21.0', '7.0.2': '24.21.0' }
  return Object.entries(versions).flatMap(([version, node]) => [
    check(version, 'nodenext', entries),
    check(version, 'bundler', entries),
    compile(version, node, entries),
  ])
}
