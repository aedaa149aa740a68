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

/** Returns the statements that run before every version's statements. They are safe to run repeatedly. */
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
