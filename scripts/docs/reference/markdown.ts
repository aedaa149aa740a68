import { readFileSync } from 'node:fs'

export function table(titles: readonly string[], rows: readonly string[][]): string {
  const lines = [titles, titles.map(() => '---'), ...rows]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** Returns code for a table cell. */
export function code(text = ''): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}

/** Returns a page from a file in this folder. Replaces each `<name>` with its value. */
export function fillPage(file: string, values: Record<string, string>): string {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  return Object.entries(values).reduce((page, [name, value]) => {
    if (!page.includes(`<${name}>`)) throw new Error(`${file} has no <${name}>.`)
    return page.replace(`<${name}>`, () => value)
  }, text)
}
