import { resolve } from 'node:path'
import { mutatedFiles } from './environment.ts'

// What is loaded when it is first used would otherwise count as code of the test that happens to be the first.
for (const file of mutatedFiles()) await import(resolve(file))
