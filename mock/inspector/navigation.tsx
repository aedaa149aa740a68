import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isKeyOf } from '../../src/shared/narrow.ts'
import type { Pulse } from './api-client.ts'
import { HealthPanel } from './charts/health.tsx'
import { formatNumber } from './format.ts'
import { AppointmentsPanel } from './panels/appointments.tsx'
import { ClockPanel } from './panels/clock.tsx'
import { ConnectionsPanel } from './panels/connections.tsx'
import { EventsPanel } from './panels/events.tsx'
import { FaultsPanel } from './panels/faults/faults.tsx'
import { ImportsPanel } from './panels/imports.tsx'
import { OrdersPanel } from './panels/orders.tsx'
import { RequestsPanel } from './panels/requests/requests.tsx'
import { RewindPanel } from './panels/rewind/rewind.tsx'
import { SearchPanel } from './panels/search.tsx'
import { SnapshotsPanel } from './panels/snapshots/snapshots.tsx'
import { UsersPanel } from './panels/users.tsx'
import { WebhooksPanel } from './panels/webhooks/webhooks.tsx'
import { scrollWithin } from './scroll-within.ts'
import type { PanelProps } from './team-context.ts'

const groups = ['Traffic', 'Records', 'Control'] as const

interface PanelDefinition {
  title: string
  Content: ComponentType<PanelProps>
  /** The group in the navigation. If omitted, the navigation does not list the panel. */
  group?: (typeof groups)[number]
  /** The pulse count shown beside the title. */
  count?: 'requests' | 'webhooks' | 'events' | 'pending' | 'faults'
}

/** The panels, keyed by their names in addresses. */
export const panels = {
  requests: { title: 'Requests', Content: RequestsPanel, group: 'Traffic', count: 'requests' },
  webhooks: { title: 'Webhooks', Content: WebhooksPanel, group: 'Traffic', count: 'webhooks' },
  events: { title: 'Events', Content: EventsPanel, group: 'Traffic', count: 'events' },
  users: { title: 'Users', Content: UsersPanel, group: 'Records' },
  orders: { title: 'Orders', Content: OrdersPanel, group: 'Records' },
  appointments: { title: 'Appointments', Content: AppointmentsPanel, group: 'Records' },
  connections: { title: 'Connections', Content: ConnectionsPanel, group: 'Records' },
  imports: { title: 'Bulk imports', Content: ImportsPanel, group: 'Records' },
  health: { title: 'Health data', Content: HealthPanel, group: 'Records' },
  clock: { title: 'Clock', Content: ClockPanel, group: 'Control', count: 'pending' },
  faults: { title: 'Faults', Content: FaultsPanel, group: 'Control', count: 'faults' },
  rewind: { title: 'Rewind', Content: RewindPanel, group: 'Control' },
  snapshots: { title: 'Snapshots', Content: SnapshotsPanel, group: 'Control' },
  search: { title: 'Search', Content: SearchPanel },
} as const satisfies Record<string, PanelDefinition>

export type PanelName = keyof typeof panels

export function panelAt(name: string): PanelName {
  return isKeyOf(panels, name) ? name : 'requests'
}

export function Navigation({ pulse, panel }: { pulse: Pulse | undefined; panel: PanelName }) {
  const nav = useRef<HTMLElement>(null)
  // The counts make the links wider, so scroll again when the counts appear.
  const hasCounts = pulse !== undefined
  useEffect(() => {
    const current = nav.current?.querySelector('[aria-current]')
    if (nav.current && current) scrollWithin(nav.current, current, 32)
  }, [panel, hasCounts])
  return (
    <nav aria-label="Panels" ref={nav}>
      {groups.map((group) => (
        <section key={group} aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{group}</h2>
          <ul>
            {Object.entries<PanelDefinition>(panels)
              .filter(([, definition]) => definition.group === group)
              .map(([name, { title, count }]) => {
                const number = count && pulse?.[count]
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
        </section>
      ))}
    </nav>
  )
}
