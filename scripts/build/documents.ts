import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceDocument } from '../../mock/control/service-document.ts'
import { fixtureJsonSchema } from '../../mock/fixtures/json-schema.ts'
import { eventsJsonSchema } from '../../src/openapi/events.ts'

/** The JSON documents in the package, for tools that do not read TypeScript. */
const documents: Record<string, () => object> = {
  'openapi.json': () => serviceDocument(),
  'fixture.schema.json': fixtureJsonSchema,
  'events.schema.json': eventsJsonSchema,
}

export const documentNames: readonly string[] = Object.keys(documents)

export function writeDocuments(folder: string): void {
  for (const [name, write] of Object.entries(documents)) {
    writeFileSync(join(folder, name), `${JSON.stringify(write())}\n`)
  }
}
