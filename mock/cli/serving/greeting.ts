import { styleText } from 'node:util'
import { environment } from '../../../src/contract/wire.ts'
import { controlDocumentPath, pagePath } from '../../control/paths.ts'
import type { MockServer } from '../../server/server.ts'
import type { ClockMode } from '../../state/clock/clock-modes.ts'

export function describeServer({ url, mock }: MockServer) {
  return {
    url,
    apiKey: mock.defaultTeam.apiKey,
    inspector: url + pagePath,
    control: url + controlDocumentPath,
  }
}

export function formatGreeting(
  server: MockServer,
  { seed, clock, strictKeys }: { seed: string; clock: ClockMode; strictKeys?: true },
): string {
  const { url, apiKey, inspector, control } = describeServer(server)
  const others = strictKeys ? 'the only valid key' : 'any other key creates its own team'
  const { now } = server.mock.defaultTeam.settings
  return `The mock is running at ${bold(url)}

  key        ${apiKey}, ${others}
  time       ${now}, ${clock}; seed ${seed}
  inspector  ${bold(inspector)}
  control    ${control}

Paste this where your program runs:

  ${bold(`export ${environment.baseUrl}=${url} ${environment.apiKey}=${apiKey}`)}

Press Ctrl+C to stop.
`
}

/** Formats text in bold, unless the output is piped or NO_COLOR is set. */
function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout })
}
