import { withPackage } from './missing-package.ts'

/** `health-lab-sdk/mock/vitest` for Node. */
export const { test } = await withPackage('health-lab-sdk/mock/vitest', import('../vitest.ts'))
