import { withPackage } from './missing-package.ts'

/** `health-lab-sdk/mock/server` for Node. */
export const { serve } = await withPackage(
  'health-lab-sdk/mock/server',
  import('../server/server.ts'),
)
