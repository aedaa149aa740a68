import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { builtPage } from './inspector.ts'
import { licencesOf } from './licences.ts'

export const licenceFile: Plugin = {
  name: 'licence-file',
  setup({ initialOptions, onEnd }) {
    onEnd(async ({ metafile }) => {
      const files = [...Object.keys(metafile?.inputs ?? {}), ...(await builtPage()).files]
      const folder = join(initialOptions.outdir ?? 'dist', 'cjs')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'LICENSES.txt'), licencesOf(files).join('\n\n'))
    })
  },
}
