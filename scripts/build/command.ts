import { build } from 'tsup'
import { commonJs, launcher } from '../../tsup.config.ts'

export async function buildCommand(folder: string): Promise<void> {
  for (const options of [commonJs, launcher]) {
    await build({ ...options, outDir: folder, config: false, silent: true })
  }
}
