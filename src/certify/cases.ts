import type { CertifyCase, RunnableCase } from './case.ts'
import { bodyCases } from './cases/bodies.ts'
import { signatureCases } from './cases/signatures.ts'
import { timestampCases } from './cases/timestamps.ts'

/** Every case with what it does. The first shows that the receiver accepts a signed event. */
export const runnableCases: readonly RunnableCase[] = [
  ...signatureCases,
  ...timestampCases,
  ...bodyCases,
]

/** Every case, in the order of a run. */
export const certifyCases: readonly CertifyCase[] = runnableCases
