/** A file of its own in the CommonJS build: its data is as long as all that the command loads at its start. */
export { faker } from '@faker-js/faker/locale/en'
