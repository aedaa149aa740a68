import { mkdirSync, writeFileSync } from 'node:fs'
import { llms } from './llms.ts'
import { referencePages } from './reference/pages.ts'

mkdirSync('docs/reference/operations', { recursive: true })
for (const [file, write] of Object.entries(referencePages)) writeFileSync(file, write())
writeFileSync('llms.txt', llms())
