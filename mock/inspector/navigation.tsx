import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Pulse } from '../control/operations/pulse.ts'
import { ChartPanel } from './chart.tsx'
import { AppointmentsPanel } from './panels/appointments.tsx'
import { ClockPanel } from './panels/clock.tsx'
import { ConnectionsPanel } from './panels/connections.tsx'
import { EventsPanel } from './panels/events.tsx'
import { FaultsPanel } from './panels/faults.tsx'
import { ImportsPanel } from './panels/imports.tsx'
import { RequestsPanel } from './panels/requests.tsx'
import { UsersPanel } from './panels/users.tsx'
import type { PanelProps } from './place.ts'
import { numberOf } from './words.ts'

interface PanelPlan {
  title: string
  Content: ComponentType<PanelProps>
  /** What is counted beside the title. */
  count?: (pulse: Pulse) => number
}

/** Every panel, by its place in the address. */
export const panels = {
  requests: { title: 'Requests', Content: RequestsPanel, count: ({ requests }) => requests },
  clock: { title: 'Clock', Content: ClockPanel, count: ({ pending }) => pending },
  users: { title: 'Users', Content: UsersPanel },
  connections: { title: 'Connections', Content: ConnectionsPanel },
  appointments: { title: 'Appointments', Content: AppointmentsPanel },
  imports: { title: 'Bulk imports', Content: ImportsPanel },
  faults: { title: 'Faults', Content: FaultsPanel, count: ({ faults }) => faults },
  events: { title: 'Events', Content: EventsPanel, count: ({ events }) => events },
  chart: { title: 'Chart', Content: ChartPanel },
} as const satisfies Record<string, PanelPlan>

export type Place = keyof typeof panels

/** The panel of a place; the first one for a place that there is not. */
export function panelAt(place: string): Place {
  return Object.hasOwn(panels, place) ? (place as Place) : 'requests'
}

export function Navigation({ pulse, place }: { pulse: Pulse | undefined; place: Place }) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current]')
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [place])
  return (
    <nav aria-label="Panels">
      <ul ref={list}>
        {Object.entries<PanelPlan>(panels).map(([name, { title, count }]) => {
          const counted = (pulse && count?.(pulse)) || undefined
          return (
            <li key={name}>
              <a href={`#/${name}`} aria-current={name === place ? 'page' : undefined}>
                {title}
                {counted !== undefined && <span class="count">{numberOf(counted)}</span>}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
