/** A ring that records most nights. */
export const ring = makeSourceColumns('oura', 'ring')

/** A watch that is sometimes not worn. */
export const watch = makeSourceColumns('garmin', 'watch')

/** A scale. */
export const scale = makeSourceColumns('withings', 'scale')

/** A food diary. */
export const app = makeSourceColumns('my_fitness_pal_v2', 'app')

/** The columns with the source of a row. */
export type SourceColumns = ReturnType<typeof makeSourceColumns>

function makeSourceColumns(source_provider: string, source_type: string) {
  return { source_provider, source_type, source_app_id: null }
}
