import { transform } from 'sucrase'

/** Removes the types of a program, and turns its imports into calls of `require`. The lines stay where they are. */
export function toJavaScript(text: string): string {
  return transform(text, { transforms: ['typescript', 'imports'], disableESTransforms: true }).code
}
