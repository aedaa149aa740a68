import { useEffect, useRef } from 'preact/hooks'
import { linkTo } from '../../address.ts'
import type { JournalSummary } from '../../api-client.ts'
import { OutcomeBadge } from '../../components/status.tsx'
import { escapeHidden, formatCount, formatTime } from '../../format.ts'
import { scrollWithin } from '../../scroll-within.ts'
import { describeEffect } from '../faults/fault-effects.ts'

interface RequestListProps {
  /** Latest first. */
  requests: JournalSummary[]
  selected: number | undefined
}

export function RequestList({ requests, selected }: RequestListProps) {
  const list = useRef<HTMLOListElement>(null)
  const selectedIndex = requests.findIndex(({ number }) => number === selected)
  // The list has one tab stop: the selected request or, if none is selected, the first request.
  const focusable = Math.max(0, selectedIndex)
  const move = (event: KeyboardEvent) => {
    // The next key may be pressed before the selection is rendered, so start from the focused request.
    const focused =
      event.target instanceof HTMLElement ? Number(event.target.dataset['number']) : -1
    const index = requests.findIndex(({ number }) => number === focused)
    const next = requests[nextIndex(event.key, index, requests.length) ?? -1]
    if (!next) return
    event.preventDefault()
    select(next.number)
    list.current?.querySelector<HTMLElement>(`[data-number="${next.number}"]`)?.focus()
  }
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current]')
    if (list.current && current) scrollWithin(list.current, current)
  }, [selected])
  return (
    <ol class="requests" ref={list} aria-label="Requests, latest first" onKeyDown={move}>
      {requests.map((request, index) => (
        <li key={request.number}>
          <button
            type="button"
            data-number={request.number}
            tabIndex={index === focusable ? 0 : -1}
            aria-current={index === selectedIndex ? 'true' : undefined}
            onClick={() => select(request.number)}
          >
            <RequestLine {...request} />
          </button>
        </li>
      ))}
    </ol>
  )
}

function nextIndex(key: string, index: number, length: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(index + 1, length - 1)
  if (key === 'ArrowUp') return Math.max(index - 1, 0)
  if (key === 'Home') return 0
  if (key === 'End') return length - 1
  return undefined
}

function select(number: number): void {
  location.hash = linkTo(['requests', number], true)
}

function RequestLine(request: JournalSummary) {
  const { operation, method, url, at, faults, reason } = request
  const effects = effectsOf(request)
  return (
    <>
      <OutcomeBadge {...request} />
      <span class="name">{escapeHidden(operation ?? `${method} ${request.path}`)}</span>
      <time dateTime={at}>{formatTime(at)}</time>
      <span class="path">
        {method} {escapeHidden(url)}
      </span>
      {faults.length > 0 && (
        <span class="reason fault">Fault: {faults.map(describeEffect).join(', ')}</span>
      )}
      {reason && faults.length === 0 && <span class="reason">{escapeHidden(reason)}</span>}
      {effects && <span class="effects">{effects}</span>}
    </>
  )
}

function effectsOf({ changes, events }: JournalSummary): string {
  const parts = [
    changes > 0 ? formatCount(changes, 'change') : '',
    events > 0 ? formatCount(events, 'event') : '',
  ]
  return parts.filter((part) => part).join(', ')
}
