import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build as esbuild } from 'esbuild'
import { output, type Trial } from './trial.ts'

const programs = {
  client: `import { ServiceClient } from 'health-lab-sdk'
const fetch = async () => Response.json([])
const client = new ServiceClient({ apiKey: 'key', baseUrl: 'https://service.test', fetch })
if ((await client.link.listProviders()).length !== 0) throw new Error('Expected no providers.')
console.log('1 call')
`,
  'client and mock': "import './main.js'\n",
}

type Bundle = (consumer: string, tool: string, entry: string, folder: string) => Promise<void>

const withEsbuild: Bundle = async (consumer, _, entry, outdir) => {
  const { warnings } = await esbuild({
    absWorkingDir: consumer,
    entryPoints: [entry],
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  })
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join('\n'))
}

const withVite: Bundle = async (root, tool, entry, outDir) => {
  const require = createRequire(join(tool, 'package.json'))
  const { build, createLogger } = await import(pathToFileURL(require.resolve('vite')).href)
  const logger = createLogger('warn')
  const warnings: string[] = []
  logger.warn = (text: string) => void warnings.push(text)
  logger.warnOnce = logger.warn
  await build({
    root,
    configFile: false,
    customLogger: logger,
    logLevel: 'warn',
    build: {
      outDir,
      target: 'es2022',
      // Preloading needs a page, but this bundle runs without one.
      modulePreload: { polyfill: false, resolveDependencies: () => [] },
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { input: join(root, entry) },
    },
  })
  if (warnings.length > 0) throw new Error(warnings.join('\n'))
}

function bundle(tool: string, bundling: Bundle, what: keyof typeof programs): Trial {
  return {
    name: tool.replace('@', ' ').replace('vite', 'Vite'),
    what: `bundle for browsers: ${what}`,
    tool,
    async run(consumer, place) {
      const name = `${tool}-${what}`.replaceAll(/\W/g, '-')
      const folder = join(consumer, name)
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder)
      writeFileSync(join(consumer, `${name}.js`), programs[what])
      await bundling(consumer, place, `${name}.js`, folder)
      const files = scripts(folder)
      const foreign = files.filter((file) => /(?:from|import\()\s*["']node:/.test(read(file)))
      if (foreign.length > 0)
        throw new Error(`The bundle imports modules of Node: ${foreign.join(', ')}`)
      const [entry = ''] = files.filter((file) => basename(file).startsWith(name))
      return output(consumer, process.execPath, entry)
    },
  }
}

const read = (file: string) => readFileSync(file, 'utf8')

function scripts(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.js')).map((file) => join(folder, file))
}

/** Bundles the client, or the client and the mock, for browsers and runs the bundle. */
export function bundles(): Trial[] {
  const tools: [string, Bundle][] = [
    ['esbuild@0.28.2', withEsbuild],
    ['vite@8.3.8', withVite],
  ]
  return tools.flatMap(([tool, bundling]) => [
    bundle(tool, bundling, 'client'),
    bundle(tool, bundling, 'client and mock'),
  ])
}
