import type { CertifyCase, RunnableCertifyCase } from './case.ts'
import { batchCases } from './cases/batches.ts'
import { eventBodyCases } from './cases/bodies.ts'
import { dataCases } from './cases/data.ts'
import { disturbanceCases } from './cases/disturbances.ts'
import { duplicateCases } from './cases/duplicates.ts'
import { eventOrderCases } from './cases/order.ts'
import { resourceCases } from './cases/resources.ts'
import { forgedSignatureCases } from './cases/signatures/forged-signatures.ts'
import { headerCases } from './cases/signatures/headers.ts'
import { replayCases } from './cases/signatures/replays.ts'
import { signatureCases } from './cases/signatures/signatures.ts'
import { sourceCases } from './cases/sources.ts'
import { truthCases } from './cases/truth.ts'
import { unknownCases } from './cases/unknown.ts'

/** Every case, in run order. The first case checks that the receiver accepts a signed event. */
export const runnableCertifyCases: readonly RunnableCertifyCase[] = [
  ...signatureCases,
  ...forgedSignatureCases,
  ...replayCases,
  ...headerCases,
  ...eventBodyCases,
  ...dataCases,
  ...resourceCases,
  ...sourceCases,
  ...unknownCases,
  ...batchCases,
  ...duplicateCases,
  ...eventOrderCases,
  ...truthCases,
  ...disturbanceCases,
]

/** Every case, in run order. */
export const certifyCases: readonly CertifyCase[] = runnableCertifyCases
