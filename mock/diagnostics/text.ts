/** The longest value in a message, in characters. */
const longest = 200

/** Returns a string as one short line without control characters. */
export function shorten(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

/** Returns the lines below a title, indented; nothing without lines. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]
}
