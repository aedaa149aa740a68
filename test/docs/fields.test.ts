import { expect, it } from 'vitest'
import { nestFields } from '../../docs/.vitepress/markdown/fields.ts'

const row = (cell: string, type = 'td') => [
  { type: 'tr_open', attrs: {} as Record<string, string>, attrSet },
  { type: `${type}_open` },
  { type: 'inline', content: cell },
]

function attrSet(this: { attrs: Record<string, string> }, name: string, value: string): void {
  this.attrs[name] = value
}

function stylesOf(relativePath: string, title: string, ...cells: string[]) {
  const tokens = [...row(title, 'th'), ...cells.flatMap((cell) => row(cell))]
  const push = (_name: string, rule: (state: object) => void) =>
    rule({ tokens, env: { relativePath } })
  // The function uses nothing else of the renderer.
  nestFields({ core: { ruler: { push } } } as never)
  const rows = tokens.flatMap((token) => ('attrs' in token ? [token.attrs] : []))
  return rows.slice(1).map(({ style }) => style)
}

const cells = ['`order`<br>*required*', '`user_id`', '`order_set.add_on`']
const page = 'reference/operations/orders-create.md'

it('places the fields of an operation below their parameter', () => {
  expect(stylesOf(page, 'Parameter or field', ...cells)).toEqual([
    undefined,
    '--depth: 1',
    '--depth: 2',
  ])
})

it('leaves other tables and pages unchanged', () => {
  const none = [undefined, undefined, undefined]
  expect(stylesOf(page, 'Error', ...cells)).toEqual(none)
  expect(stylesOf('reference/errors.md', 'Parameter or field', ...cells)).toEqual(none)
})
