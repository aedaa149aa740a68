import { onTestFinished } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { connectMock } from '../../../mock/remote/connect.ts'
import { type MockServer, serve } from '../../../mock/server/server.ts'
import { userId } from '../../support/bodies.ts'

export const queryRoute = `POST /aggregate/v1/user/${userId}/query`

export const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

export async function served(team?: object): Promise<MockServer> {
  const server = await serve(createMock(team), { gracePeriod: 0, report: () => {} })
  onTestFinished(() => server.close())
  return server
}

export function remoteOf({ url, mock }: MockServer) {
  return connectMock(url, mock.defaultTeam.apiKey)
}
