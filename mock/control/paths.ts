/** The port of `health-lab-sdk mock` without `--port`. */
export const defaultPort = 4010

/** The request header of the control token. */
export const tokenHeader = 'x-mock-token'

/** The start of the paths of a mock server that are not paths of the service. */
export const rootPath = '/__mock__'

/** The inspector's path. */
export const pagePath = `${rootPath}/`

/** The health check's path, which needs no key and no token. */
export const healthPath = `${rootPath}/health`

/** The path of the OpenAPI document of the service. */
export const serviceDocumentPath = `${rootPath}/openapi.json`

/** The path of the JSON Schema of fixtures. */
export const fixtureSchemaPath = `${rootPath}/fixture.schema.json`

/** The path of the JSON Schemas of events. */
export const eventsSchemaPath = `${rootPath}/events.schema.json`

/** The start of the paths of the control API. */
export const apiPath = `${rootPath}/api`

/** The path of the OpenAPI document of the control API. */
export const controlDocumentPath = `${apiPath}/openapi.json`
