import { archiveTarget } from './archive.ts'
import { eventsTarget, signaturesTarget } from './events.ts'
import { parquetTarget } from './parquet.ts'
import { pathsTarget } from './paths.ts'
import { retryAfterTarget } from './retry-after.ts'
import type { Target } from './target.ts'
import { whereTarget } from './where.ts'

/** Every target, in the order in which they run. */
export const targets: Target[] = [
  archiveTarget,
  parquetTarget,
  eventsTarget,
  signaturesTarget,
  whereTarget,
  retryAfterTarget,
  pathsTarget,
]
