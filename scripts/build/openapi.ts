import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApi } from '../../src/openapi/document.ts'

/** Writes the OpenAPI document as a file of the package, for tools that read no TypeScript. */
export function writeOpenApi(folder: string): void {
  writeFileSync(join(folder, 'openapi.json'), `${JSON.stringify(openApi())}\n`)
}
