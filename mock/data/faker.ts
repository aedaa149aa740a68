import type { Faker } from '@faker-js/faker'
import { faker } from './faker-en.ts'

/** Returns the generator of names and streets. In the CommonJS build, this file loads it at the first call. */
export function getFaker(): Faker {
  return faker
}
