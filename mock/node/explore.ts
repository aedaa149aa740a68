import { withPackage } from './missing-package.ts'

/** `health-lab-sdk/mock/explore` for Node. */
export const { explore, ExploreError } = await withPackage(
  'health-lab-sdk/mock/explore',
  import('../explore.ts'),
)
