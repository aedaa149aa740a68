import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { controlJourneys } from './control-journeys.ts'
import { journeyRunner, journeys } from './generated-journeys.ts'
import { output, type Trial } from './trial.ts'

/** The generators, the libraries of their clients, and a compiler that both support. */
export const tool = [
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

/** The configuration for a client that validates requests and responses with zod. */
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

/** Generates each client from an OpenAPI document. */
export const generators = {
  'openapi-fetch': (folder: string, document: string, node: string) => {
    const command = 'node_modules/openapi-typescript/bin/cli.js'
    // Without this option, request fields with a default would be required.
    const options = ['--default-non-nullable=false', '--output', 'schema.d.ts']
    output(folder, node, command, document, ...options)
  },
  'hey-api': (folder: string, document: string, node: string) => {
    writeFileSync(join(folder, 'openapi-ts.config.mjs'), heyApiConfig(document))
    output(folder, node, 'node_modules/@hey-api/openapi-ts/bin/run.js')
  },
}

const descriptions = {
  'openapi-fetch': 'openapi-typescript 7.13.0 with openapi-fetch 0.17.0',
  'hey-api': '@hey-api/openapi-ts 0.99.0 with zod',
}

/** An OpenAPI document, and the journeys for clients generated from it. */
interface Described {
  api: string
  journeys: Record<keyof typeof generators, string>
  /** Returns the path of the document. */
  documentOf(consumer: string, node: string): string
}

const service: Described = {
  api: 'the service',
  journeys,
  documentOf: (consumer) => join(consumer, 'node_modules/health-lab-sdk/dist/openapi.json'),
}

const controlApi: Described = {
  api: 'the control API',
  journeys: controlJourneys,
  documentOf(consumer, node) {
    writeFileSync(join(consumer, 'write-control-document.js'), writeControlDocument)
    output(consumer, node, 'write-control-document.js')
    return join(consumer, 'control.json')
  },
}

/** A program that saves the document of a mock server. */
const writeControlDocument = `import { writeFileSync } from 'node:fs'
import { serve } from 'health-lab-sdk/mock/server'

const server = await serve({}, { port: 0 })
const response = await fetch(server.url + '/__mock__/api/openapi.json')
writeFileSync('control.json', await response.text())
await server.close()
`

/** Returns trials that generate each client, compile its program, and run the journey against a mock server. */
export function generatedClients(): Trial[] {
  return [service, controlApi].flatMap((described) =>
    (['openapi-fetch', 'hey-api'] as const).map((name) => trialOf(name, described)),
  )
}

function trialOf(name: keyof typeof generators, { api, journeys, documentOf }: Described): Trial {
  return {
    name: 'Generated client',
    what: `${descriptions[name]}, of ${api}`,
    tool,
    run(consumer, folder, node) {
      generators[name](folder, documentOf(consumer, node), node)
      writeFileSync(join(folder, `${name}.ts`), journeys[name])
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
  }
}
