import { withPackage } from './missing-package.ts'

/** `health-lab-sdk/mock` for Node. Only the error of a dynamic import can name the package that is missing. */
export const { createMock, explainDifference, explainTeam, journalMatchers, MockError } =
  await withPackage('health-lab-sdk/mock', import('../index.ts'))
