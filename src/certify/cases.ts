import type { CertifyCase, RunnableCertifyCase } from './case.ts'
import { batchCases } from './cases/batches.ts'
import { eventBodyCases } from './cases/bodies.ts'
import { dataCases } from './cases/data.ts'
import { dayCases } from './cases/days.ts'
import { disturbanceCases } from './cases/disturbances.ts'
import { duplicateCases } from './cases/duplicates.ts'
import { endpointCases } from './cases/endpoint.ts'
import { eventOrderCases } from './cases/order.ts'
import { resourceCases } from './cases/resources.ts'
import { sampleCases } from './cases/samples.ts'
import { forgedSignatureCases } from './cases/signatures/forged-signatures.ts'
import { headerCases } from './cases/signatures/headers.ts'
import { replayCases } from './cases/signatures/replays.ts'
import { signatureCases } from './cases/signatures/signatures.ts'
import { timestampCases } from './cases/signatures/timestamps.ts'
import { unsignedHeaderCases } from './cases/signatures/unsigned-headers.ts'
import { sourceCases } from './cases/sources.ts'
import { truthCases } from './cases/truth.ts'
import { unknownCases } from './cases/unknown.ts'

/** Every case, in run order. The first case checks that the receiver accepts a signed event. */
export const runnableCertifyCases: readonly RunnableCertifyCase[] = [
  ...signatureCases,
  ...forgedSignatureCases,
  ...replayCases,
  ...headerCases,
  ...timestampCases,
  ...eventBodyCases,
  ...dataCases,
  ...dayCases,
  ...resourceCases,
  ...sourceCases,
  ...unknownCases,
  ...batchCases,
  ...sampleCases,
  ...duplicateCases,
  ...unsignedHeaderCases,
  ...eventOrderCases,
  ...truthCases,
  ...endpointCases,
  ...disturbanceCases,
]

/** Every case, in run order. */
export const certifyCases: readonly CertifyCase[] = runnableCertifyCases
