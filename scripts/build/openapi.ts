import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApi } from '../../src/openapi/document.ts'

/** The package holds the OpenAPI document as a file, too, for whoever reads no TypeScript. */
const folder = process.argv[2] ?? 'dist'
writeFileSync(join(folder, 'openapi.json'), `${JSON.stringify(openApi(), null, 2)}\n`)
