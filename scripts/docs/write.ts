import { writeFileSync } from 'node:fs'
import { llms } from './llms.ts'
import { operationsPage } from './operations.ts'

writeFileSync('docs/reference/operations.md', operationsPage())
writeFileSync('llms.txt', llms())
