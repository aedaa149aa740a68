/** Returns SQL that converts a Unix timestamp in milliseconds to a Postgres timestamp. */
const time = (value: string) => `to_timestamp(${value}::float8 / 1000)`
const milliseconds = (column: string) => `extract(epoch from ${column})::float8 * 1000`

/** Returns the statements for messages. An empty token marks a message as handled. */
export function messageStatements(schema: string) {
  const messages = `${schema}.messages`
  const expiry = `now() + $3::float8 * interval '1 millisecond'`
  const insert = `insert into ${messages} as held (id, token, expires_at)`
  const update =
    'on conflict (id) do update set token = excluded.token, expires_at = excluded.expires_at'
  const result = `case token when '' then 'done' else 'busy' end`
  return {
    claim: `with claimed as (
  ${insert} values ($1::text, $2::text, ${expiry})
  ${update}
  where held.token <> '' and held.expires_at < now()
  returning id
)
select 'claimed' as result from claimed
union all
select ${result} as result from ${messages} where id = $1::text and not exists (select from claimed)`,
    read: `select ${result} as result from ${messages} where id = $1::text`,
    finish: `${insert} values ($1::text, '', ${expiry})
${update}
where held.token in ('', $2::text)
returning id`,
    release: `delete from ${messages} where id = $1::text and token = $2::text`,
    pruneMessages: `delete from ${messages} where id in (
  select id from ${messages} where expires_at < ${time('$2')} limit $1::int for update skip locked
) returning id`,
  }
}

/** Each statement is atomic. */
export function writeStatements(schema: string) {
  const writes = `${schema}.writes`
  const columns = `id, operation, input, attempt, holder, ${milliseconds('held_until')} as helduntil,
  state, progress, outcome, ${milliseconds('started_at')} as startedat`
  const ifCleared = (column: string) =>
    `${column} = case when held.state = 'cleared' then excluded.${column} else held.${column} end`
  return {
    begin: `with begun as (
  insert into ${writes} as held
    (id, operation, input, attempt, holder, held_until, state, progress, outcome, started_at)
  values ($1::text, $2::text, $3::text, $4::text, $4::text, ${time('$5')}, 'pending', $6::text, '', ${time('$7')})
  on conflict (id) do update set
    holder = excluded.holder, held_until = excluded.held_until,
    operation = excluded.operation, input = excluded.input, state = excluded.state, outcome = excluded.outcome,
    ${ifCleared('attempt')}, ${ifCleared('progress')}, ${ifCleared('started_at')}
  where held.state = 'cleared' or (
    held.state = 'pending' and held.held_until <= ${time('$7')}
    and held.operation = excluded.operation and held.input = excluded.input
  )
  returning *
)
select ${columns} from begun
union all
select ${columns} from ${writes} where id = $1::text and not exists (select from begun)`,
    read: `select ${columns} from ${writes} where id = $1::text`,
    save: `update ${writes} set held_until = ${time('$3')}, progress = coalesce($4::text, progress)
where id = $1::text and holder = $2::text and held_until <= ${time('$3')}
returning id`,
    end: `update ${writes} set state = $3::text, outcome = $4::text,
  holder = '', held_until = ${time('0')}, ended_at = ${time('$6')}
where id = $1::text and attempt = $2::text and state <> 'done'
  and ($5::text is null or holder = $5::text and state <> 'cleared')
returning id`,
    open: `select ${columns} from ${writes} where state in ('pending', 'unresolved')
order by started_at limit $1::int`,
    prune: `delete from ${writes} where id in (
  select id from ${writes} where state in ('done', 'cleared') and ended_at < ${time('$2')}
  limit $1::int for update skip locked
) returning id`,
  }
}

/** The statements for each schema version, oldest first. A published version never changes. */
const versions: readonly (readonly string[])[] = [
  [
    `create table $schema.messages (
  id text primary key,
  token text not null,
  expires_at timestamptz not null
)`,
    'create index messages_expires_at on $schema.messages (expires_at)',
    `create table $schema.writes (
  id text primary key,
  operation text not null,
  input text not null,
  attempt text not null,
  holder text not null,
  held_until timestamptz not null,
  state text not null,
  progress text not null,
  outcome text not null,
  started_at timestamptz not null,
  ended_at timestamptz
)`,
    `create index writes_open on $schema.writes (started_at) where state in ('pending', 'unresolved')`,
    `create index writes_ended on $schema.writes (ended_at) where state in ('done', 'cleared')`,
  ],
]

/** Returns the statements that create the schema and its version table. They run first and are safe to run again. */
export function baseStatements(schema: string): [string, string] {
  return [
    `create schema if not exists ${schema}`,
    `create table if not exists ${schema}.migrations (version integer primary key)`,
  ]
}

/** Returns each version's statements, the last of which records the version. */
export function versionStatements(schema: string): string[][] {
  return versions.map((statements, at) => [
    ...statements.map((statement) => statement.replaceAll('$schema', schema)),
    `insert into ${schema}.migrations (version) values (${at + 1})`,
  ])
}

export function migrationSql(schema: string): string {
  const statements = [...baseStatements(schema), ...versionStatements(schema).flat()]
  return `${statements.join(';\n')};\n`
}
