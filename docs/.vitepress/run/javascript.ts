import { transform } from 'sucrase'

/** Removes a program's types, and converts its imports to `require` calls. Line numbers stay the same. */
export function toJavaScript(text: string): string {
  return transform(text, { transforms: ['typescript', 'imports'], disableESTransforms: true }).code
}
