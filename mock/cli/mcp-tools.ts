import { explainTeam } from '../diagnostics/explain-team.ts'
import { isLocal } from '../events/delivery/webhook-input.ts'
import { describeReport } from '../explore/report/report.ts'
import type { MockServer } from '../server/server.ts'
import type { TimeSpan } from '../state/clock/time.ts'
import type { Team } from '../team.ts'
import { readDocuments } from './documents.ts'

export interface Tool {
  description: string
  /** The JSON Schemas of the required arguments, keyed by name. */
  required: Record<string, object>
  optional?: Record<string, object>
  /** Returns a string, or a value to print as JSON. The mock itself checks the arguments. */
  run(input: Record<string, unknown>): unknown
}

const text = (description: string) => ({ type: 'string', description })
const object = (description: string) => ({ type: 'object', description })
const team = { team: text("The team's key, as returned by create_team.") }

/**
 * Returns the MCP tools. None of them accepts a key for the real service. Apart from the program that `run_explore` runs,
 * none connects to another machine.
 */
export function toolsOf({ mock, url }: MockServer): Record<string, Tool> {
  const teams = new Map<unknown, Team>()
  const teamOf = ({ team }: Record<string, unknown>): Team => {
    const found = teams.get(team)
    if (!found) throw new Error('Unknown team. Use a key that create_team returned.')
    return found
  }

  return {
    create_team: {
      description:
        'Creates a team in the mock with its own records, clock and faults. Returns the environment variables for the program under test, and the created records.',
      required: {},
      optional: {
        fixture: object('The records to create, such as {"users": [{}], "orders": [{}]}.'),
      },
      async run({ fixture }) {
        const created = mock.team()
        // seed() checks the fixture.
        const records = fixture ? await created.seed(fixture as object) : {}
        teams.set(created.apiKey, created)
        const environment = { SERVICE_BASE_URL: url, SERVICE_API_KEY: created.apiKey }
        return { team: created.apiKey, environment, inspector: `${url}/__mock__/`, records }
      },
    },
    add_webhook: {
      description:
        "Delivers a team's events to a receiver on this machine. Returns the signing secret.",
      required: { ...team, url: text('The URL, such as http://127.0.0.1:3000/events.') },
      run: (input) => teamOf(input).webhooks.add({ url: localUrl(input['url']) }).secret,
    },
    list_requests: {
      description:
        "Lists a team's requests with their statuses and failure reasons, but without bodies.",
      required: team,
      optional: { on: text('The operations to include, such as orders.*') },
      // lines() checks the pattern.
      run: (input) =>
        teamOf(input)
          .journal.lines((input['on'] ?? '*') as '*')
          .join('\n') || 'None.',
    },
    explain_failure: {
      description:
        'Explains a failed test: lists the last requests, the pending events and the unused faults.',
      required: team,
      run: (input) => explainTeam(teamOf(input)),
    },
    advance_clock: {
      description: "Advances the team's virtual clock and runs everything scheduled in that time.",
      required: { ...team, by: text('The time span, such as 49h, 15m or 30s.') },
      async run(input) {
        const { clock } = teamOf(input)
        // advance() checks the string.
        await clock.advance(input['by'] as TimeSpan)
        return `It is ${clock.now().toISOString()}.`
      },
    },
    inject_fault: {
      description: "Injects a fault into a team's requests.",
      required: {
        ...team,
        fault: object(
          'The fault, such as {"on": "orders.*", "when": {"first": 1}, "then": "lose_response"}, or {"then": {"status": 503}}.',
        ),
      },
      run(input) {
        // add() checks the fault.
        teamOf(input).faults.add(input['fault'] as Parameters<Team['faults']['add']>[0])
        return 'Injected.'
      },
    },
    trigger_event: {
      description:
        'Emits an event and waits for its delivery. Returns the event and recent deliveries.',
      required: { ...team, type: text('The event type, such as daily.data.sleep.created.') },
      optional: {
        overrides: object('The event fields to override, such as {"user_id": "…", "data": {}}.'),
      },
      async run(input) {
        const found = teamOf(input)
        // trigger() checks the fields.
        const event = found.trigger(
          String(input['type']),
          (input['overrides'] ?? {}) as Record<string, unknown>,
        )
        await found.webhooks.idle()
        const deliveries = found.webhooks.list().flatMap((webhook) => webhook.deliveries())
        return { event, deliveries: deliveries.slice(-20) }
      },
    },
    run_explore: {
      description:
        'Searches for bugs in a program by simulating lost responses, crashes, duplicates and races. Runs the module in worker threads of this process.',
      required: { module: text('A file whose default export contains the options for explore().') },
      async run(input) {
        const { explore } = await import('../explore/explore.ts')
        const report = await explore({ module: String(input['module']), print: () => {} })
        return describeReport(report).join('\n')
      },
    },
    run_certify: {
      description:
        'Tests a webhook receiver on this machine with signed events, forgeries and duplicates.',
      required: {
        url: text('The URL, such as http://127.0.0.1:3000/events.'),
        secret: text('The endpoint secret, whsec_….'),
      },
      optional: { probe: text("A URL that returns the receiver's stored records as JSON.") },
      async run({ url, secret, probe }) {
        const { certify } = await import('../../src/certify/certify.ts')
        const { toTable } = await import('../../src/certify/report.ts')
        const stored = probe === undefined ? {} : { probe: localUrl(probe) }
        const report = await certify({ url: localUrl(url), secret: String(secret), ...stored })
        return toTable(report, { quiet: true })
      },
    },
    search_docs: {
      description: "Searches the package's documentation. Returns the best-matching sections.",
      required: { query: text('Search words, such as "lost response booking".') },
      run: ({ query }) => searchDocs(String(query)),
    },
  }
}

function localUrl(url: unknown): string {
  if (typeof url === 'string' && isLocal(url)) return url
  throw new Error('Expected a URL on this machine, such as http://127.0.0.1:3000/events.')
}

/** The maximum length of a query, in characters. Longer queries are truncated, because they would block the server. */
const queryLimit = 1000

function searchDocs(query: string): string {
  const words = new Set(
    query
      .slice(0, queryLimit)
      .toLowerCase()
      .match(/[\w.-]{2,}/g),
  )
  const sections = readDocuments('*.md', 'llms.txt', 'docs/**/*.md').flatMap(({ file, text }) =>
    text.split(/^(?=#{1,3} )/m).map((section) => ({
      text: `${file}\n${section.slice(0, 2000)}`,
      score: scoreOf(section, words),
    })),
  )
  const found = sections.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
  return (
    found
      .slice(0, 4)
      .map(({ text }) => text)
      .join('\n---\n') || 'Nothing found.'
  )
}

function scoreOf(section: string, words: ReadonlySet<string>): number {
  const whole = section.toLowerCase()
  const [heading = ''] = whole.split('\n')
  return (
    [...words].filter((word) => whole.includes(word)).length * 2 +
    [...words].filter((word) => heading.includes(word)).length
  )
}
