import { withPackage } from './missing-package.ts'

/** `health-lab-sdk/mock/msw` as Node imports it. */
export const { handlers } = await withPackage('health-lab-sdk/mock/msw', import('../msw.ts'))
