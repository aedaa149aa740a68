import { withPackage } from './missing-package.ts'

/** `health-lab-sdk/mock` as Node imports it: an import that is not static can say which package is missing. */
export const { createMock, MockError } = await withPackage(
  'health-lab-sdk/mock',
  import('../index.ts'),
)
