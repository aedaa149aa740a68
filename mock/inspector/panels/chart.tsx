import { useMemo, useState } from 'preact/hooks'
import type { AggregateRequest, AggregateTable } from '../../../src/contract/aggregate.ts'
import { RequestError, serviceClient } from '../api-client.ts'
import type { Point } from '../charts/layout.ts'
import { pointsOf, titleOf, toQuery } from '../charts/query.ts'
import { QueryForm } from '../charts/query-form.tsx'
import { TimeSeriesChart } from '../charts/time-series-chart.tsx'
import { Details, Empty, Panel } from '../components/panel.tsx'
import { Table } from '../components/table.tsx'
import { useUsers } from '../components/user.tsx'
import { displayName, formatNumber } from '../format.ts'
import { useTeam } from '../team-context.ts'

/** An aggregate query and its result. */
interface QueryResult {
  title: string
  query: AggregateRequest
  points: Point[]
}

/** Draws the result of an aggregate query. */
export function ChartPanel() {
  const { apiKey } = useTeam()
  const users = useUsers()
  const [result, setResult] = useState<QueryResult>()
  const [problem, setProblem] = useState('')
  const send = useMemo(() => serviceClient(apiKey), [apiKey])
  const draw = async (values: FormData) => {
    const userId = String(values.get('user_id'))
    const user = users?.find(({ user_id }) => user_id === userId)
    const title = user ? `${titleOf(values)}, ${displayName(user)}` : titleOf(values)
    const query = toQuery(values)
    try {
      const route = `POST /aggregate/v1/user/${encodeURIComponent(userId)}/query`
      const body = await send<{ results?: { table: AggregateTable }[] }>(route, query)
      setResult({ title, query, points: pointsOf(body?.results?.[0]?.table ?? {}) })
      setProblem('')
    } catch (error) {
      setProblem(error instanceof RequestError ? error.message : String(error))
    }
  }
  return (
    <Panel
      title="Chart"
      hint="The query is a normal request to the service: it appears in the list of requests, and faults apply to it."
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
  if (hasUsers) return <Empty title="There is no chart yet.">Fill in the form and draw one.</Empty>
  return (
    <Empty title="There is no chart yet.">
      First <a href="#/users">create a user</a>. Each user has a year of generated data.
    </Empty>
  )
}

function Result({ title, query, points }: QueryResult) {
  if (points.length === 0) {
    return (
      <Empty title="There is no data in this timeframe.">Choose an earlier or longer one.</Empty>
    )
  }
  const func = query.queries[0]?.select[0]?.func ?? ''
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <div class="chart-and-table">
        <TimeSeriesChart
          title={title}
          points={points}
          shape={func === 'sum' || func === 'count' ? 'bars' : 'line'}
        />
        <Table
          caption="Values"
          rows={points}
          keyOf={({ at }) => at}
          columns={[
            { title: 'From', cell: ({ at }) => at.slice(0, 10) },
            { title: func, isNumber: true, cell: ({ value }) => <PointValue value={value} /> },
          ]}
        />
      </div>
      <Details title="Query">
        <pre class="json">{JSON.stringify(query, null, 2)}</pre>
      </Details>
    </figure>
  )
}

function PointValue({ value }: Pick<Point, 'value'>) {
  return value === null ? <>–</> : <data value={String(value)}>{formatNumber(value)}</data>
}
