import { withPackage } from './missing-package.ts'

/** `health-lab-sdk/mock/vitest` as Node imports it. */
export const { test } = await withPackage('health-lab-sdk/mock/vitest', import('../vitest.ts'))
