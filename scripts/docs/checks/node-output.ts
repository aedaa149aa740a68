import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Writes all output to one stream, so that the lines keep their order. */
const oneStream = 'data:text/javascript,console.warn=console.error=console.log'

/** A line between the outputs of two blocks. */
const mark = '----- next block -----'

/** Programs in a folder inside the package, so that the package name resolves to the build. */
export class NodePrograms implements Disposable {
  readonly #folder: string

  constructor(files: ReadonlyMap<string, string>) {
    mkdirSync('scratch', { recursive: true })
    this.#folder = mkdtempSync('scratch/runs-')
    for (const [name, text] of files) writeFileSync(join(this.#folder, name), text)
  }

  /** Returns the output of each block, without stack lines. */
  async outputs(name: string, parts: readonly string[]): Promise<string[]> {
    const file = join(this.#folder, name)
    writeFileSync(file, parts.join(`\nconsole.log('${mark}')\n`))
    const { stdout } = await run(process.execPath, ['--import', oneStream, file])
    return stdout.split(`${mark}\n`).map((text) => text.replace(/\n\s+at .*/g, ''))
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true })
  }
}
