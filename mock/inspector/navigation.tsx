import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Pulse } from '../control/operations/pulse.ts'
import { formatNumber } from './format.ts'
import { AppointmentsPanel } from './panels/appointments.tsx'
import { ChartPanel } from './panels/chart.tsx'
import { ClockPanel } from './panels/clock.tsx'
import { ConnectionsPanel } from './panels/connections.tsx'
import { EventsPanel } from './panels/events.tsx'
import { FaultsPanel } from './panels/faults.tsx'
import { ImportsPanel } from './panels/imports.tsx'
import { RequestsPanel } from './panels/requests.tsx'
import { UsersPanel } from './panels/users.tsx'
import type { PanelProps } from './team-context.ts'

interface PanelDefinition {
  title: string
  Content: ComponentType<PanelProps>
  /** The number beside the title. */
  count?: (pulse: Pulse) => number
}

/** The panels, by their names in the address. */
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
} as const satisfies Record<string, PanelDefinition>

/** The name of a panel. */
export type PanelName = keyof typeof panels

/** Returns the name if a panel has it, else the name of the first panel. */
export function panelAt(name: string): PanelName {
  // The type of `hasOwn` does not narrow the name.
  return Object.hasOwn(panels, name) ? (name as PanelName) : 'requests'
}

/** Shows the links to the panels. */
export function Navigation({ pulse, panel }: { pulse: Pulse | undefined; panel: PanelName }) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current]')
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [panel])
  return (
    <nav aria-label="Panels">
      <ul ref={list}>
        {Object.entries<PanelDefinition>(panels).map(([name, { title, count }]) => {
          const number = pulse && count?.(pulse)
          return (
            <li key={name}>
              <a href={`#/${name}`} aria-current={name === panel ? 'page' : undefined}>
                {title}
                {number ? <span class="count">{formatNumber(number)}</span> : null}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
