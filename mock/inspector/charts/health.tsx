import { useRef, useState } from 'preact/hooks'
import type { AggregateRequest } from '../../../src/contract/aggregate.ts'
import { RequestError } from '../api-client.ts'
import { Empty, Loading, Panel } from '../components/panel.tsx'
import { DataTable } from '../components/table.tsx'
import { CopyButton } from '../components/text.tsx'
import { useUsers } from '../components/user.tsx'
import { displayName, formatNumber } from '../format.ts'
import { useTeam } from '../team-context.ts'
import { formatPointTime, type Point } from './layout.ts'
import { markGaps, pointsOf, titleOf, toQuery } from './query.ts'
import { QueryForm } from './query-form.tsx'
import { TimeSeriesChart } from './time-series-chart.tsx'

interface QueryResult {
  title: string
  query: AggregateRequest
  points: Point[]
  /** The time unit of the groups, such as `day`. */
  unit: string
}

export function HealthPanel() {
  const { send } = useTeam()
  const users = useUsers()
  const [result, setResult] = useState<QueryResult>()
  const [problem, setProblem] = useState('')
  const latest = useRef(0)
  const draw = async (values: FormData) => {
    const userId = String(values.get('user_id'))
    const user = users?.find(({ user_id }) => user_id === userId)
    const title = user ? `${titleOf(values)}, ${displayName(user)}` : titleOf(values)
    const query = toQuery(values)
    latest.current += 1
    const number = latest.current
    try {
      const params = { user_id: userId }
      const body = await send('users.aggregate', { params, body: query })
      if (number !== latest.current) return
      const points = pointsOf(body?.results?.[0]?.table ?? {})
      setResult({ title, query, points, unit: String(values.get('group')) })
      setProblem('')
    } catch (error) {
      setProblem(error instanceof RequestError ? error.message : String(error))
    }
  }
  return (
    <Panel
      title="Health data"
      hint="Runs an aggregate query for a user. The journal does not record the query, and faults do not affect it."
    >
      <QueryForm users={users} submit={draw} />
      {problem && (
        <p class="banner" role="alert">
          {problem}
        </p>
      )}
      {result ? <Result {...result} /> : <NoResult hasUsers={users?.length !== 0} />}
    </Panel>
  )
}

function NoResult({ hasUsers }: { hasUsers: boolean }) {
  if (hasUsers) return <Loading />
  return (
    <Empty title="There are no users yet.">
      First <a href="#/users">create a user</a>. Each user has up to a year of generated data.
    </Empty>
  )
}

function Result({ title, query, points, unit }: QueryResult) {
  if (points.length === 0) {
    return (
      <Empty title="There is no data in this timeframe.">Choose an earlier or longer one.</Empty>
    )
  }
  const func = query.queries[0]?.select[0]?.func ?? ''
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <Query query={query} />
      <div class="chart-and-table">
        <TimeSeriesChart
          title={title}
          points={markGaps(points, unit)}
          shape={func === 'sum' || func === 'count' ? 'bars' : 'line'}
        />
        <DataTable
          caption="Values"
          rows={points}
          keyOf={({ at }) => at}
          columns={[
            { title: 'From', cell: ({ at }) => formatPointTime(at) },
            { title: func, isNumber: true, cell: ({ value }) => <PointValue value={value} /> },
          ]}
        />
      </div>
    </figure>
  )
}

/** Shows a query on one line. The copied query contains line breaks. */
function Query({ query }: { query: AggregateRequest }) {
  const textOf = (space?: number) =>
    `client.aggregate.query(userId, ${JSON.stringify(query, null, space)})`
  return (
    <div class="query">
      <pre class="json">{textOf()}</pre>
      <CopyButton name="query" text={() => textOf(2)}>
        Copy query
      </CopyButton>
    </div>
  )
}

function PointValue({ value }: { value: number | null }) {
  return value === null ? <>–</> : <data value={String(value)}>{formatNumber(value)}</data>
}
