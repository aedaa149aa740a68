import type { LabOrder } from '../../state/records/orders.ts'
import { linkTo, useAddress } from '../address.ts'
import { Form } from '../components/form.tsx'
import { Empty, Loading, Panel } from '../components/panel.tsx'
import { Status } from '../components/status.tsx'
import { recordLimit } from '../components/table.tsx'
import { type FetchedUsers, UserSelect, useUsers } from '../components/user.tsx'
import { displayName, formatDateTime } from '../format.ts'
import { useFetch, useTeam } from '../team-context.ts'
import { OrderDetail } from './order-detail.tsx'

export function OrdersPanel() {
  const [selected] = useAddress().path
  const users = useUsers()
  const orders = useFetch('orders.list', { query: { last: recordLimit } })?.toReversed()
  const order = orders?.find(({ id }) => id === selected) ?? orders?.[0]
  return (
    <Panel title="Orders">
      <OrderForm users={users} />
      {!orders && <Loading />}
      {orders?.length === 0 && (
        <Empty title="There are no orders yet.">
          Create one above, or send <code>POST /v3/order</code>.
        </Empty>
      )}
      {orders && order && (
        <div class="split">
          <OrderList orders={orders} selected={order.id} users={users} />
          <OrderDetail key={order.id} order={order} users={users} />
        </div>
      )}
    </Panel>
  )
}

interface OrderListProps {
  orders: LabOrder[]
  selected: string
  users: FetchedUsers
}

function OrderList({ orders, selected, users }: OrderListProps) {
  return (
    <ul class="cards" aria-label="Orders, latest first">
      {orders.map(({ id, user_id, status, created_at }) => {
        const user = users?.find((known) => known.user_id === user_id)
        return (
          <li key={id}>
            <a href={linkTo(['orders', id])} aria-current={id === selected ? 'true' : undefined}>
              <strong>{user ? displayName(user) : user_id.slice(0, 8)}</strong>
              <span class="hint">
                {id.slice(0, 8)}, {formatDateTime(created_at)}
              </span>
              <span class="facts">
                <Status value={status} />
              </span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

function OrderForm({ users }: { users: FetchedUsers }) {
  const { send, run } = useTeam()
  const submit = (values: FormData) => {
    const user_id = String(values.get('user_id'))
    return run('Created an order.', async () => {
      const { id } = await send('orders.create', { body: user_id ? { user_id } : {} })
      location.hash = linkTo(['orders', id])
    })
  }
  return (
    <Form submit={submit}>
      <UserSelect users={users} none="A new user" />
      <button type="submit" class="main">
        Create order
      </button>
    </Form>
  )
}
