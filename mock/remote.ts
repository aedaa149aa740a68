export { type ConnectOptions, connectMock } from './remote/connect.ts'
export type {
  RemoteBookings,
  RemoteBulkOps,
  RemoteClock,
  RemoteCollection,
  RemoteEvents,
  RemoteFault,
  RemoteFaults,
  RemoteJournal,
  RemoteTeam,
  RemoteWebhook,
  RemoteWebhooks,
} from './remote/remote-team.ts'
