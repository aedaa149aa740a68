export type { Awaitable } from '../contract/adopt.ts'
export type { ConformanceCase } from './case.ts'
export { conformanceCases } from './cases.ts'
export type {
  AddedLab,
  CatalogueSteps,
  ExpectedResultOffer,
  LabOffer,
  MarkerOffer,
} from './catalogue-steps.ts'
export type { CaseFailure, ViolatedSentence } from './report/failure.ts'
export type { CaseResult, ConformanceReport } from './report/report.ts'
export { toJunit, toTable } from './report/report.ts'
export type { ConformanceOptions } from './run.ts'
export { runConformance } from './run.ts'
export type {
  BookingScenario,
  HealthDataRow,
  Need,
  OtherTeam,
  Setup,
  StoredConnection,
  TeamSettings,
} from './setup.ts'
