// cspell:ignore whsec ILPZ
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '../../docs/.vitepress/code/blocks.ts'
import { output, type Trial } from './trial.ts'

const nest = '12.5.1'

const tool = [
  `@nestjs/common@${nest}`,
  `@nestjs/core@${nest}`,
  `@nestjs/platform-express@${nest}`,
  '@nestjs/testing@12.1.1',
  'reflect-metadata@0.2.2',
  'rxjs@7.8.2',
  'vitest@4.1.12',
  'jest@30.5.2',
  'ts-jest@29.4.15',
  'typescript@6.0.2',
  '@types/express@5.0.6',
  '@types/jest@30.0.0',
  '@types/node@24.19.2',
].join(' ')

/** A project created by `nest new` of NestJS 12. */
interface Template {
  name: string
  manifest: object
  types: string[]
  /** The file extension in imports. */
  extension: string
  /** The configuration of the test runner. */
  config: [file: string, text: string]
  /** The arguments of Node for `npm test`. */
  test: string[]
}

const templates: Template[] = [
  {
    name: 'ESM and Vitest',
    manifest: { type: 'module' },
    types: ['vitest/globals', 'node'],
    extension: '.js',
    config: [
      'vitest.config.ts',
      "import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { globals: true, root: './', include: ['**/*.spec.ts'] } })\n",
    ],
    test: ['vitest/vitest.mjs', 'run'],
  },
  {
    name: 'CommonJS and Jest',
    manifest: {},
    types: ['node', 'jest'],
    extension: '',
    config: [
      'jest.config.json',
      JSON.stringify({
        moduleFileExtensions: ['js', 'json', 'ts'],
        testRegex: '.*\\.spec\\.ts$',
        transform: { '^.+\\.(t|j)s$': 'ts-jest' },
        testEnvironment: 'node',
      }),
    ],
    test: ['jest/bin/jest.js'],
  },
]

const compilerOptions = {
  module: 'nodenext',
  moduleResolution: 'nodenext',
  resolvePackageJsonExports: true,
  esModuleInterop: true,
  isolatedModules: true,
  declaration: true,
  removeComments: true,
  emitDecoratorMetadata: true,
  experimentalDecorators: true,
  allowSyntheticDefaultImports: true,
  target: 'ES2023',
  sourceMap: true,
  outDir: './dist',
  rootDir: '.',
  incremental: true,
  skipLibCheck: true,
  strict: true,
  strictPropertyInitialization: false,
}

function guideCode(words: string): string {
  const blocks = blocksOf(readFileSync('docs/guides/frameworks.md', 'utf8'))
  const found = blocks.find(({ code }) => code.includes(words))
  if (!found) throw new Error(`The guide has no code with ${words}.`)
  return found.code
}

const testCode = (extension: string) => `import { Test } from '@nestjs/testing'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { ServiceClient } from 'health-lab-sdk'
import { createMock } from 'health-lab-sdk/mock'
import { LabModule, LabService } from './lab${extension}'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

test('books a visit, receives its events and ends waits at shutdown', async () => {
  process.env['WEBHOOK_SECRET'] = secret
  const team = createMock().team()
  const tested = await Test.createTestingModule({ imports: [LabModule] })
    .overrideProvider(ServiceClient)
    .useValue(new ServiceClient(team.connection()))
    .compile()
  const app = tested.createNestApplication<NestExpressApplication>({ rawBody: true })
  app.useBodyParser('json', { limit: '10mb' })
  await app.listen(0, '127.0.0.1')
  team.webhooks.add({ url: \`\${await app.getUrl()}/events\`, secret })
  const lab = app.get(LabService)
  const { result } = await lab.book(team.orders.create().id, 'bk_confirm_after_5m')
  await team.webhooks.idle()
  expect([result, ...lab.visits.values()]).toEqual(['booked', 'confirmed'])

  team.clock.mode = 'manual'
  const waiting = lab.book(team.orders.create().id, 'bk_confirm_after_5m')
  await team.clock.whenWaiting()
  app.getHttpServer().closeAllConnections()
  await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'aborted' }), app.close()])
}, 60_000)
`

function writeProject({ manifest, types, extension, config }: Template, folder: string): void {
  const [configFile, configText] = config
  const files = {
    'package.json': JSON.stringify({ private: true, ...manifest }),
    'tsconfig.json': JSON.stringify({ compilerOptions: { ...compilerOptions, types } }),
    [configFile]: configText,
    'src/lab.ts': guideCode('export class LabModule'),
    'src/main.ts': guideCode('await NestFactory.create').replace('./lab.js', `./lab${extension}`),
    'src/lab.spec.ts': testCode(extension),
  }
  mkdirSync(join(folder, 'src'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

/** Runs the NestJS guide in both templates of NestJS 12, with the templates' own scripts. */
export function nestTemplates(): Trial[] {
  return templates.map((template) => ({
    name: `NestJS ${nest}`,
    what: `the guide's module in the template with ${template.name}`,
    tool,
    run(consumer, folder, command) {
      const [modules, project] = [
        join(folder, 'node_modules'),
        join(folder, template.name.replaceAll(' ', '-')),
      ]
      cpSync(join(consumer, 'node_modules'), modules, { recursive: true, force: false })
      writeProject(template, project)
      output(project, command, join(modules, 'typescript/bin/tsc'), '--noEmit')
      const [runner = '', ...words] = template.test
      // The template with Jest uses this flag, because NestJS 12 is an ES module.
      const flags = runner.startsWith('jest') ? ['--experimental-vm-modules'] : []
      output(project, command, ...flags, join(modules, runner), ...words)
      return 'compiled and tested'
    },
  }))
}
