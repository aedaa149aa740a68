import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { build } from './build/build.ts'

/** Contains one report per entry point. */
export const reportFolder = 'api'

interface Manifest {
  exports: Record<string, string | { types: string } | { require: { types: string } }>
}

/** @param folder The folder with the built declarations, inside this repository. */
export function apiReports(folder: string): Record<string, string> {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
  const found = Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return []
    const name = subpath === '.' ? 'index' : subpath.slice('./'.length).replaceAll('/', '-')
    const { types } = 'require' in target ? target.require : target
    return [[`${name}.api.md`, reportOf(types.replace('./dist/', ''), folder)]]
  })
  return Object.fromEntries(found)
}

function reportOf(declarations: string, folder: string): string {
  const target = resolve(folder, 'api-report')
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: resolve('.'),
      mainEntryPointFilePath: resolve(folder, declarations),
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [resolve(folder, declarations)] } },
      apiReport: {
        enabled: true,
        reportFileName: 'report',
        reportFolder: target,
        reportTempFolder: join(target, 'temporary'),
        // The forgotten exports of the mock are internal.
        includeForgottenExports: !/^(?:cjs\/)?mock\//.test(declarations),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } } },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: resolve('package.json'),
  })
  const errors: string[] = []
  mkdirSync(target, { recursive: true })
  Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      message.handled = true
      if (message.category === 'Compiler') errors.push(message.text)
    },
  })
  const report = readFileSync(join(target, 'report.api.md'), 'utf8')
  rmSync(target, { recursive: true })
  if (errors.length > 0) throw new Error(errors.join('\n'))
  return report
}

const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
  types: ['node'],
  strict: true,
  // Other tests compile the declarations of dependencies.
  skipLibCheck: true,
}

/** `npm run api`: builds the package and writes its reports. */
if (import.meta.main) {
  mkdirSync('scratch', { recursive: true })
  const folder = mkdtempSync('scratch/api-')
  build(folder)
  rmSync(reportFolder, { recursive: true, force: true })
  mkdirSync(reportFolder, { recursive: true })
  for (const [name, report] of Object.entries(apiReports(folder))) {
    writeFileSync(join(reportFolder, name), report)
  }
  rmSync(folder, { recursive: true })
}
