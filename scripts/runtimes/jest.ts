import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { nestFiles } from './nest.ts'
import { output, type Trial } from './trial.ts'

/** Jest, its transforms and NestJS. The latest NestJS is an ES module, which Jest cannot load. */
const tool = [
  'jest@30.5.2',
  'ts-jest@29.4.15',
  '@babel/preset-env@7.29.14',
  '@swc/core@1.16.22',
  '@swc/jest@0.2.39',
  'typescript@5.9.3',
  '@types/jest@30.0.0',
  '@types/node@24.19.2',
  '@opentelemetry/api@1.9.1',
  '@nestjs/common@11.2.10',
  '@nestjs/core@11.2.10',
  '@nestjs/platform-express@11.2.10',
  '@nestjs/testing@11.2.6',
  'reflect-metadata@0.2.2',
  'rxjs@7.8.2',
].join(' ')

const compilerOptions = {
  module: 'commonjs',
  esModuleInterop: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: ['node', 'jest'],
  strict: true,
}

const smokeTest = `import { smoke } from './smoke'
test('passes the smoke suite', async () => expect(await smoke()).toBeGreaterThan(10), 60_000)
`

const swc = { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }

/** The projects. Each is a folder with its own transform. */
const projects = [
  { displayName: 'plain', rootDir: 'plain', transform: {} },
  {
    displayName: 'babel-jest',
    rootDir: 'babel',
    transform: {
      '\\.js$': [
        'babel-jest',
        { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] },
      ],
    },
  },
  { displayName: 'ts-jest', rootDir: 'ts', preset: 'ts-jest' },
  { displayName: '@swc/jest', rootDir: 'swc', transform: { '\\.ts$': ['@swc/jest', swc] } },
  {
    displayName: 'NestJS',
    rootDir: 'nest/src',
    moduleFileExtensions: ['js', 'json', 'ts'],
    testRegex: '.*\\.spec\\.ts$',
    transform: { '^.+\\.(t|j)s$': ['ts-jest', { tsconfig: '<rootDir>/../tsconfig.json' }] },
  },
]

/** Includes the consumer's smoke suite. */
function filesOf(consumer: string): Record<string, string> {
  const read = (name: string) => readFileSync(join(consumer, name), 'utf8')
  const smoke = read('smoke.ts').replace('./samples.ts', './samples')
  const typeScript = { 'smoke.ts': smoke, 'samples.ts': read('samples.ts'), 'a.test.ts': smokeTest }
  return {
    'plain/a.test.js': smokeTest.replace(/^import (.*) from (.*)$/m, 'const $1 = require($2)'),
    ...within('babel', { 'smoke.js': read('smoke.js'), 'a.test.js': smokeTest }),
    ...within('ts', { ...typeScript, 'tsconfig.json': JSON.stringify({ compilerOptions }) }),
    ...within('swc', typeScript),
    ...within('nest', nestFiles),
    'jest.config.json': JSON.stringify({ projects, cacheDirectory: '<rootDir>/cache' }),
  }
}

function within(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [join(folder, name), text]))
}

/** Writes the projects, and the package without its dependencies, because the CommonJS build contains them. */
function writeProjects(consumer: string, folder: string): void {
  const [home, copy] = [consumer, folder].map((at) => join(at, 'node_modules/health-lab-sdk'))
  cpSync(home as string, copy as string, { recursive: true })
  for (const [name, text] of Object.entries(filesOf(consumer))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, type: undefined }))
  buildSync({
    entryPoints: [join(consumer, 'smoke.ts')],
    outfile: join(folder, 'plain/smoke.js'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    packages: 'external',
  })
}

/** The projects are CommonJS and need no flags. */
export function jest(): Trial[] {
  return ['22.23.3', '24.21.0'].map((node) => ({
    name: 'Jest 30.5.2',
    what: `smoke suite from CommonJS, on Node ${node}`,
    tool,
    node,
    run(consumer, folder, command) {
      writeProjects(consumer, folder)
      output(folder, command, 'node_modules/jest/bin/jest.js', '--config', 'jest.config.json')
      return projects.map(({ displayName }) => displayName).join(', ')
    },
  }))
}
