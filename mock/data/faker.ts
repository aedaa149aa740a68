import type { Faker } from '@faker-js/faker'
import { faker } from '@faker-js/faker/locale/en'

/** Returns the generator of names and streets. */
export function getFaker(): Faker {
  return faker
}
