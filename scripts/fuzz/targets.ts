import { archiveTarget } from './archive.ts'
import { bodiesTarget } from './bodies.ts'
import { eventsTarget, signaturesTarget } from './events.ts'
import { parquetTarget } from './parquet.ts'
import { pathsTarget } from './paths.ts'
import { pollutionTarget } from './pollution.ts'
import { retryAfterTarget } from './retry-after.ts'
import { tarTarget } from './tar.ts'
import type { Target } from './target.ts'
import { teamsTarget } from './teams.ts'
import { whereTarget } from './where.ts'

/** In run order. */
export const targets: Target[] = [
  archiveTarget,
  tarTarget,
  parquetTarget,
  eventsTarget,
  signaturesTarget,
  whereTarget,
  retryAfterTarget,
  pathsTarget,
  bodiesTarget,
  pollutionTarget,
  teamsTarget,
]
