import { globSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { Command } from 'commander'

export function agents(): Command {
  return new Command('agents')
    .description('Print AGENTS.md, the instructions for coding agents that use this package.')
    .action(() => {
      const [{ text } = { text: '' }] = readDocuments('AGENTS.md')
      process.stdout.write(text)
    })
}

export function openapi(): Command {
  return new Command('openapi')
    .description("Print the service's OpenAPI 3.1 document.")
    .option('--url <url>', "the service's base URL in the document", '/')
    .option('--json', 'print errors as JSON')
    .action(async ({ url }: { url: string }) => {
      const { serviceDocument } = await import('../control/service-document.ts')
      process.stdout.write(`${JSON.stringify(serviceDocument(url), null, 2)}\n`)
    })
}

/** Reads documents from the package or the single executable that contains the running command. */
export function readDocuments(...patterns: string[]): { file: string; text: string }[] {
  const sea = process.getBuiltinModule('node:sea')
  if (sea?.isSea()) {
    const names = sea
      .getAssetKeys()
      .filter((key) => patterns.some((each) => matchesGlob(key, each)))
    return names.map((file) => ({ file, text: sea.getAsset(file, 'utf8') }))
  }
  const { createRequire } = process.getBuiltinModule('node:module')
  const { resolve } = createRequire(realpathSync(process.argv[1] ?? ''))
  const folder = dirname(resolve('health-lab-sdk/package.json'))
  const files = globSync(patterns, { cwd: folder })
  return files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
}
