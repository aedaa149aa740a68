import { writeFileSync } from 'node:fs'
import { llms } from './llms.ts'
import { operationsPage, operationsSource } from './operations.ts'

writeFileSync('src/contract/operations.ts', operationsSource())
writeFileSync('docs/operations.md', operationsPage())
writeFileSync('llms.txt', llms())
