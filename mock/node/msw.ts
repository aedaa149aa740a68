import { withPackage } from './missing-package.ts'

/** `health-lab-sdk/mock/msw` for Node. */
export const { handlers } = await withPackage('health-lab-sdk/mock/msw', import('../msw.ts'))
