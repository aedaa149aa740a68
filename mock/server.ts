export type { HandledRequest } from './server/request-log.ts'
export { type MockServer, type ServeOptions, serve } from './server/server.ts'
