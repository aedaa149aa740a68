import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { output, type Trial } from './trial.ts'

const modes = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

/** Compiles the smoke suite and every entry point, including the declarations of libraries. */
function check(version: string, mode: keyof typeof modes, entries: string[]): Trial {
  return {
    name: `TypeScript ${version}`,
    what: `types, module ${mode}`,
    tool: `typescript@${version}`,
    run(consumer, tool) {
      const imports = entries.map((entry, at) => `import * as entry${at} from '${entry}'`)
      const uses = entries.map((_, at) => `entry${at}`)
      writeFileSync(
        join(consumer, 'entries.ts'),
        `${imports.join('\n')}\nexport default [${uses}]\n`,
      )
      const compilerOptions = {
        ...modes[mode],
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
        types: ['node'],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        skipLibCheck: false,
      }
      const settings = { compilerOptions, files: ['smoke.ts', 'entries.ts'] }
      writeFileSync(join(consumer, `tsconfig.${mode}.json`), JSON.stringify(settings))
      const command = join(tool, 'node_modules/.bin/tsc')
      output(consumer, command, '--project', `tsconfig.${mode}.json`)
      return `${entries.length} entry points`
    },
  }
}

/** Returns the trials of each version of TypeScript with each kind of module resolution. */
export function types(entries: string[]): Trial[] {
  return ['5.9.3', '6.0.3', '7.0.2'].flatMap((version) => [
    check(version, 'nodenext', entries),
    check(version, 'bundler', entries),
  ])
}
