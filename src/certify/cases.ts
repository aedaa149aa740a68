import type { CertifyCase, RunnableCertifyCase } from './case.ts'
import { batchCases } from './cases/batches.ts'
import { eventBodyCases } from './cases/bodies.ts'
import { dataCases } from './cases/data.ts'
import { dayCases } from './cases/days.ts'
import { disturbanceCases } from './cases/disturbances.ts'
import { duplicateCases } from './cases/duplicates.ts'
import { endpointCases } from './cases/endpoint.ts'
import { forgedSignatureCases } from './cases/forged-signatures.ts'
import { headerCases } from './cases/headers.ts'
import { eventOrderCases } from './cases/order.ts'
import { replayCases } from './cases/replays.ts'
import { resourceCases } from './cases/resources.ts'
import { sampleCases } from './cases/samples.ts'
import { signatureCases } from './cases/signatures.ts'
import { sourceCases } from './cases/sources.ts'
import { timestampCases } from './cases/timestamps.ts'
import { truthCases } from './cases/truth.ts'
import { unknownCases } from './cases/unknown.ts'
import { unsignedHeaderCases } from './cases/unsigned-headers.ts'

/** Every case with what it does. The first shows that the receiver accepts a signed event. */
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

/** Every case, in the order of a run. */
export const certifyCases: readonly CertifyCase[] = runnableCertifyCases
