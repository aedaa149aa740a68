/** Returns the words of an address: `unknown outcomes` for `/guides/unknown-outcomes.html`. */
export function wordsOf(path: string): string {
  const name = decode(path).split('/').filter(Boolean).at(-1) ?? ''
  const words = name.replace(/\.\w+$/, '').replaceAll(/[-_.]+/g, ' ')
  return /^(?:404|index)$/.test(words) ? '' : words
}

/** Returns '' for an invalid address, such as `/%E0%A4%A`. */
function decode(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return ''
  }
}
