import type { ComponentChildren } from 'preact'
import type { Summary } from '../control/operations/journal.ts'
import { useTeam } from './team.ts'
import { visible } from './words.ts'

/** A panel of the inspector, under its heading. */
export function Panel(props: { title: string; hint?: string; children: ComponentChildren }) {
  return (
    <>
      <div class="heading">
        <h1>{props.title}</h1>
        {props.hint && <p class="hint">{props.hint}</p>}
      </div>
      {props.children}
    </>
  )
}

/** A field of a form, under its label. */
export function Field(props: { label: string; children: ComponentChildren; class?: string }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
    <label class={`field ${props.class ?? ''}`}>
      <span>{props.label}</span>
      {props.children}
    </label>
  )
}

/** What stands where there is nothing to show, and tells how it comes. */
export function Empty(props: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{props.title}</p>
      {props.children && <p class="hint">{props.children}</p>}
    </div>
  )
}

/** The beginning of an id; a click copies the whole. */
export function Id({ value }: { value: string }) {
  const { act } = useTeam()
  const copy = () =>
    act(`Copied ${visible(value)}`, async () => {
      // Only a page of this machine, or of a secure origin, may write there.
      await navigator.clipboard?.writeText(value).catch(() => {})
    })
  const shown = visible(value)
  return (
    <button type="button" class="id" title={`Copy ${shown}`} onClick={copy}>
      {shown.length > 14 ? `${shown.slice(0, 8)}…` : shown}
    </button>
  )
}

/** A name such as `daily.data.sleep.created`, which breaks after its dots first. */
export function Dotted({ name }: { name: string }) {
  return (
    <code>
      {visible(name)
        .split('.')
        .flatMap((part, at) => (at === 0 ? [part] : ['.', <wbr key={at} />, part]))}
    </code>
  )
}

const tones: Record<string, string> = {
  confirmed: 'good',
  success: 'good',
  completed: 'good',
  create: 'good',
  cancelled: 'bad',
  failure: 'bad',
  aborted: 'bad',
  delete: 'bad',
  pending: 'busy',
  in_progress: 'busy',
  update: 'busy',
}

/** A word that says how something stands. */
export function Status({ word }: { word: string }) {
  return <span class={`status ${tones[word] ?? ''}`}>{visible(word).replaceAll('_', ' ')}</span>
}

/** The status of the answer, or what became of a request that has none. */
export function Outcome({
  status,
  outcome,
}: Pick<Summary, 'outcome'> & { status?: number | undefined }) {
  const tone =
    outcome === 'waiting'
      ? 'busy'
      : status === undefined || status >= 500
        ? 'bad'
        : status >= 400
          ? 'warn'
          : 'good'
  return <span class={`status ${tone}`}>{status ?? outcome}</span>
}

/** What is shown only when asked for. */
export function Fold(props: { title: ComponentChildren; children: ComponentChildren }) {
  return (
    <details>
      <summary>{props.title}</summary>
      {props.children}
    </details>
  )
}

export interface Column<T> {
  title: string
  /** Only where there is room. */
  isMinor?: boolean
  isNumber?: boolean
  /** Never broken, such as a date. */
  isWhole?: boolean
  cell: (row: T) => ComponentChildren
}

interface TableProps<T> {
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string
}

/** Records, a row each. */
export function Table<T>({ caption, columns, rows, keyOf }: TableProps<T>) {
  const classOf = ({ isMinor, isNumber, isWhole }: Column<T>) =>
    `${isMinor ? 'minor' : ''} ${isNumber ? 'number' : ''} ${isWhole ? 'whole' : ''}`
  return (
    <div class="sheet">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Why a list that is not there is not there: it is still being read. */
export function Reading() {
  return <p class="hint">Reading…</p>
}

/** So many of the latest records are listed. */
export const latest = 200

/** Says that a list may not be all there is. */
export function More({ rows }: { rows: readonly unknown[] | null | undefined }) {
  if (!rows || rows.length < latest) return null
  return <p class="hint">The latest {latest} are listed.</p>
}
