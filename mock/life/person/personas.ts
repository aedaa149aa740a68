/** How a person lives. */
export interface Persona {
  /** The name, such as `athlete`. */
  readonly name: string
}
