import type { ComponentChildren } from 'preact'

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

export function Empty(props: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{props.title}</p>
      {props.children && <p class="hint">{props.children}</p>}
    </div>
  )
}

export function Loading() {
  return <p class="hint">Loading…</p>
}

interface SectionProps {
  title: string
  /** The number of items. Default: not shown. */
  count?: number | string
  children: ComponentChildren
}

export function Section({ title, count, children }: SectionProps) {
  return (
    <section class="part">
      <h3>
        {title} {count !== undefined && <span class="count">{count}</span>}
      </h3>
      {children}
    </section>
  )
}

interface DetailsProps {
  title: ComponentChildren
  children: ComponentChildren
  /** Whether the children are initially shown. Default: false. */
  isOpen?: boolean
}

export function Details(props: DetailsProps) {
  return (
    <details open={props.isOpen}>
      <summary>{props.title}</summary>
      {props.children}
    </details>
  )
}
