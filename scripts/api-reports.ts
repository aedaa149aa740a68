import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { build } from './build/build.ts'

/** Where the reports are kept, one for each entry point. */
export const reports = 'api'

interface Manifest {
  exports: Record<string, string | { types: string }>
}

/** What users can see of each entry point, read from the declarations that were built into a folder of this repository. */
export function apiReports(folder: string): Record<string, string> {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
  const found = Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return []
    const name = subpath === '.' ? 'index' : subpath.slice('./'.length).replaceAll('/', '-')
    return [[`${name}.api.md`, reportOf(target.types.replace('./dist/', ''), folder)]]
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
        // Of the mock these would be its inner parts, which change as they like.
        includeForgottenExports: !declarations.startsWith('mock/'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } } },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: resolve('package.json'),
  })
  const complaints: string[] = []
  mkdirSync(target, { recursive: true })
  Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      message.handled = true
      if (message.category === 'Compiler') complaints.push(message.text)
    },
  })
  const report = readFileSync(join(target, 'report.api.md'), 'utf8')
  rmSync(target, { recursive: true })
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return report
}

const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'],
  types: ['node'],
  strict: true,
  // The declarations are all that is given, and other tests compile them.
  skipLibCheck: true,
}

/** `npm run api`: builds the package, and writes its reports anew. */
if (import.meta.main) {
  mkdirSync('scratch', { recursive: true })
  const folder = mkdtempSync('scratch/api-')
  build(folder)
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  for (const [name, report] of Object.entries(apiReports(folder))) {
    writeFileSync(join(reports, name), report)
  }
  rmSync(folder, { recursive: true })
}
