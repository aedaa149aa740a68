import { lazy } from '../../../src/shared/memo.ts'
import { seedLabs, seedLabTests, seedMarkers } from '../../reference-data/catalogue.ts'
import { payors } from '../../reference-data/payors.ts'
import { providers } from '../../reference-data/providers.ts'
import { deepFreeze } from '../../shared/freeze.ts'
import type { CatalogueLab } from '../records/lab-tests.ts'

/** The initial records, which all teams share. */
export const seedRecords = {
  labs: indexLazily<CatalogueLab>(
    () => seedLabs,
    ({ id }) => id,
  ),
  labTests: indexLazily(seedLabTests, ({ id }) => id),
  markers: indexLazily(seedMarkers, ({ id }) => id),
  providers: indexLazily(
    () => providers,
    ({ slug }) => slug,
  ),
  payors: indexLazily(payors, ({ payor_code }) => payor_code),
}

function indexLazily<T extends object>(
  records: () => readonly T[],
  keyOf: (record: T) => string | number,
): () => ReadonlyMap<string, T> {
  return lazy(() => new Map(records().map((record) => [String(keyOf(record)), deepFreeze(record)])))
}
