export type { Awaitable } from '../shared/adopt.ts'
export type { ConformanceCase } from './case.ts'
export { conformanceCases } from './cases.ts'
export type {
  CaseFailure,
  CaseResult,
  ConformanceReport,
  ViolatedSentence,
} from './report.ts'
export { toJunit, toTable } from './report.ts'
export type { ConformanceOptions } from './run.ts'
export { runConformance } from './run.ts'
export type {
  AddedLab,
  BookingScenario,
  CatalogueSteps,
  ExpectedResultOffer,
  HealthDataRow,
  LabOffer,
  MarkerOffer,
  Need,
  OtherTeam,
  Setup,
  StoredConnection,
  TeamSettings,
} from './setup.ts'
