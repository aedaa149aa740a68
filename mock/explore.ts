export { type Explore, explore } from './explore/explore.ts'
export { ExploreError } from './explore/explore-error.ts'
export type { HostKind } from './explore/hosts/host.ts'
export type {
  CreatingOperation,
  InvariantName,
  Invariants,
  ViolationName,
} from './explore/invariants/names.ts'
export type {
  CheckResult,
  ExploreBudget,
  ExploreContext,
  ExploreModuleOptions,
  ExploreOptions,
  ExploreTools,
  ServedMock,
  ServeFunction,
  StoredFields,
  StoredRecord,
  StoredRecords,
} from './explore/options.ts'
export type { PointKind } from './explore/plan/plan.ts'
export type { ExploreFinding } from './explore/report/findings.ts'
export type { ExploreReport, PointCoverage } from './explore/report/report.ts'
