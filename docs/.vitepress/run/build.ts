import { resolve } from 'node:path'
import { en } from '@faker-js/faker'
import { build, type Plugin } from 'esbuild'
import { sandboxModules } from './modules.ts'

/** Returns the sandbox's script: the built package, and everything else that page programs need. */
export async function sandboxScript(files: ReadonlyMap<string, string>): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['docs/.vitepress/run/sandbox/worker.ts'],
    bundle: true,
    write: false,
    minify: true,
    charset: 'utf8',
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    // Without the paths in tsconfig.json, the package name resolves to the build.
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [contents(files), names, withoutJsx],
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

/** Fills `sandbox/contents.ts`. */
function contents(files: ReadonlyMap<string, string>): Plugin {
  const entries = Object.entries(sandboxModules)
  const code = [
    ...entries.map(([, module], place) => `import * as module${place} from '${module}'`),
    `export const modules = {${entries.map(([name], place) => `'${name}': { ...module${place}, __esModule: true }`)}}`,
    `export const files = ${JSON.stringify(Object.fromEntries(files))}`,
  ].join('\n')
  return {
    name: 'contents',
    setup: ({ onLoad }) =>
      onLoad({ filter: /sandbox[\\/]contents\.ts$/ }, () => ({
        contents: code,
        resolveDir: resolve('.'),
      })),
  }
}

/** Omits the Faker words that the mock does not use. They would be a third of the script. */
const names: Plugin = {
  name: 'names',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@faker-js\/faker\/locale\/en$/ }, () => ({
      path: 'faker',
      namespace: 'names',
    }))
    onLoad({ filter: /.*/, namespace: 'names' }, () => ({
      contents: `
        import { Faker } from '@faker-js/faker'
        export const faker = new Faker({ locale: ${JSON.stringify(usedWords())} })`,
      resolveDir: resolve('.'),
    }))
  },
}

/** Omits Sucrase's JSX transformer and its entity table, because page programs are TypeScript without JSX. */
const withoutJsx: Plugin = {
  name: 'without-jsx',
  setup: ({ onLoad }) =>
    onLoad({ filter: /sucrase[\\/].*[\\/]JSXTransformer\.js$/ }, () => ({
      contents: 'export default class {}\nexport const startsWithLowerCase = () => false',
    })),
}

function usedWords() {
  const { first_name, last_name } = en.person ?? {}
  const { street_name, street_pattern, street_suffix } = en.location ?? {}
  return {
    person: { first_name, last_name },
    location: { street_name, street_pattern, street_suffix },
  }
}
