import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isKeyOf } from '../../src/contract/narrow.ts'
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

interface PanelDefinition {
  title: string
  /** The group of the panel in the navigation; without one, it is not in the navigation. */
  group?: (typeof groups)[number]
  Content: ComponentType<PanelProps>
  /** The number beside the title. */
  count?: (pulse: Pulse) => number
}

const groups = ['Traffic', 'Records', 'Control'] as const

/** The panels, by their names in the address. */
export const panels = {
  requests: {
    title: 'Requests',
    group: 'Traffic',
    Content: RequestsPanel,
    count: ({ requests }) => requests,
  },
  webhooks: {
    title: 'Webhooks',
    group: 'Traffic',
    Content: WebhooksPanel,
    count: ({ webhooks }) => webhooks,
  },
  events: {
    title: 'Events',
    group: 'Traffic',
    Content: EventsPanel,
    count: ({ events }) => events,
  },
  users: { title: 'Users', group: 'Records', Content: UsersPanel },
  orders: { title: 'Orders', group: 'Records', Content: OrdersPanel },
  appointments: { title: 'Appointments', group: 'Records', Content: AppointmentsPanel },
  connections: { title: 'Connections', group: 'Records', Content: ConnectionsPanel },
  imports: { title: 'Bulk imports', group: 'Records', Content: ImportsPanel },
  health: { title: 'Health data', group: 'Records', Content: HealthPanel },
  clock: { title: 'Clock', group: 'Control', Content: ClockPanel, count: ({ pending }) => pending },
  faults: {
    title: 'Faults',
    group: 'Control',
    Content: FaultsPanel,
    count: ({ faults }) => faults,
  },
  rewind: { title: 'Rewind', group: 'Control', Content: RewindPanel },
  snapshots: { title: 'Snapshots', group: 'Control', Content: SnapshotsPanel },
  search: { title: 'Search', Content: SearchPanel },
} as const satisfies Record<string, PanelDefinition>

/** The name of a panel. */
export type PanelName = keyof typeof panels

/** Returns the name if a panel has it, else the name of the first panel. */
export function panelAt(name: string): PanelName {
  return isKeyOf(panels, name) ? name : 'requests'
}

interface NavigationProps {
  pulse: Pulse | undefined
  panel: PanelName
}

/** Shows the links to the panels. */
export function Navigation({ pulse, panel }: NavigationProps) {
  const nav = useRef<HTMLElement>(null)
  // The counts make the links wider.
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
              .map(([name, definition]) => (
                <li key={name}>
                  <PanelLink name={name} isCurrent={name === panel} pulse={pulse} {...definition} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

interface PanelLinkProps extends Pick<PanelDefinition, 'title' | 'count'> {
  name: string
  isCurrent: boolean
  pulse: Pulse | undefined
}

function PanelLink({ name, title, count, isCurrent, pulse }: PanelLinkProps) {
  const number = pulse && count?.(pulse)
  return (
    <a href={`#/${name}`} aria-current={isCurrent ? 'page' : undefined}>
      {title}
      {number ? <span class="count">{formatNumber(number)}</span> : null}
    </a>
  )
}
