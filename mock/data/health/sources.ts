/** A ring that records most nights. */
export const ring = source('oura', 'ring')

/** A watch that is sometimes not worn. */
export const watch = source('garmin', 'watch')

/** A scale. */
export const scale = source('withings', 'scale')

/** A food diary. */
export const app = source('my_fitness_pal_v2', 'app')

/** The columns with the source of a row. */
export type SourceColumns = ReturnType<typeof source>

function source(source_provider: string, source_type: string) {
  return { source_provider, source_type, source_app_id: null }
}
