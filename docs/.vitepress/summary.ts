import { readFileSync } from 'node:fs'

export interface Summary {
  title: string
  sentence: string
}

/** Returns the title of a page, and the first sentence below it without markup. */
export function summaryOf(page: string): Summary {
  const text = readFileSync(page, 'utf8')
  const [, title = '', paragraph = ''] = /^# (.*)\n+((?:(?![#|]|```).+\n)*)/m.exec(text) ?? []
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ')
  const [sentence] = /^.*?\.(?= [A-Z`]|$)/.exec(plain.trim()) ?? []
  if (!sentence) throw new Error(`${page} has no sentence below its title.`)
  return { title, sentence }
}
