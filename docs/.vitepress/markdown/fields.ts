import type { MarkdownRenderer } from 'vitepress'
import { signatures } from '../../../scripts/docs/reference/operations.ts'
import type { PageEnvironment, Token } from './token.ts'

/** Marks the rows of fields on the pages of operations with their depth, so that fields stand below their parameter. */
export function nestFields(md: MarkdownRenderer): void {
  md.core.ruler.push('field_depths', ({ tokens, env }) => {
    const [, id] =
      /^reference\/operations\/(.+)\.md$/.exec((env as PageEnvironment).relativePath) ?? []
    const names = signatures.get(id?.replace('-', '.') ?? '')?.parameters.map(({ name }) => name)
    if (names) setDepths(tokens, names)
  })
}

/** Expects the parameters in the order of their rows, because a field can have the name of a later parameter. */
function setDepths(tokens: Token[], parameters: string[]): void {
  let isTable = false
  for (const [place, token] of tokens.entries()) {
    const cell = tokens[place + 2]
    if (token.type === 'tr_open' && tokens[place + 1]?.type === 'th_open')
      isTable = cell?.content === 'Parameter or field'
    if (!isTable || token.type !== 'tr_open' || tokens[place + 1]?.type !== 'td_open') continue
    const [, name = ''] = /^`([^`]+)`/.exec(cell?.content ?? '') ?? []
    if (name === parameters[0]) parameters.shift()
    else token.attrSet('style', `--depth: ${name.split('.').length}`)
  }
}
