import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { journeyRunner, journeys } from './generated-journeys.ts'
import { output, type Trial } from './trial.ts'

/** The generators, the libraries of their clients, and a compiler that both support. */
const tool = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'zod@4.6.7',
  'typescript@5.9.3',
].join(' ')

const compilerOptions = {
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
}

/** Checks requests and responses with zod. */
const heyApiConfig = (document: string) => `export default {
  input: ${JSON.stringify(document)},
  output: 'hey',
  plugins: [
    '@hey-api/client-fetch',
    '@hey-api/typescript',
    'zod',
    { name: '@hey-api/sdk', validator: true },
  ],
}
`

/** How each client is generated from the OpenAPI document of the package. */
const generators: Record<string, (folder: string, document: string, node: string) => void> = {
  'openapi-fetch': (folder, document, node) => {
    const command = 'node_modules/openapi-typescript/bin/cli.js'
    // Without the option, fields of requests that have a default are required.
    const options = ['--default-non-nullable=false', '--output', 'schema.d.ts']
    output(folder, node, command, document, ...options)
  },
  'hey-api': (folder, document, node) => {
    writeFileSync(join(folder, 'openapi-ts.config.mjs'), heyApiConfig(document))
    output(folder, node, 'node_modules/@hey-api/openapi-ts/bin/run.js')
  },
}

const descriptions: Record<string, string> = {
  'openapi-fetch': 'openapi-typescript 7.13.0 with openapi-fetch 0.17.0',
  'hey-api': '@hey-api/openapi-ts 0.99.0 with zod',
}

/** Generates each client, compiles its program, and takes the journey of the quickstart against a mock server. */
export function generatedClients(): Trial[] {
  return Object.entries(generators).map(([name, generate]) => ({
    name: 'Generated client',
    what: descriptions[name] ?? name,
    tool,
    run(consumer, folder, node) {
      generate(folder, join(consumer, 'node_modules/health-lab-sdk/dist/openapi.json'), node)
      writeFileSync(join(folder, `${name}.ts`), journeys[name] ?? '')
      const settings = { compilerOptions, files: [`${name}.ts`] }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
      output(folder, node, 'node_modules/typescript/bin/tsc', '--project', 'tsconfig.json')
      const bundle = join(folder, `${name}.js`)
      buildSync({
        entryPoints: [join(folder, `${name}.ts`)],
        outfile: bundle,
        bundle: true,
        format: 'esm',
      })
      writeFileSync(join(consumer, 'run-journey.js'), journeyRunner)
      return output(consumer, node, 'run-journey.js', pathToFileURL(bundle).href)
    },
  }))
}
