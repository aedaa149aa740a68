export { type MockServer, type ServeOptions, serve } from './server/server.ts'
