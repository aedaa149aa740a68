import { resolve } from 'node:path'
import { mutatedFiles } from './environment.ts'

// Loads the files before the first test. Otherwise Stryker attributes their top-level code to the test that loads them.
for (const file of mutatedFiles()) await import(resolve(file))
