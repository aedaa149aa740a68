/** The default port of `health-lab-sdk mock`. */
export const defaultPort = 4010

export const tokenHeader = 'x-mock-token'

/** The path prefix of the mock server's own endpoints, which the service does not have. */
export const rootPath = '/__mock__'

export const pagePath = `${rootPath}/`

/** The path of the health check, which requires neither an API key nor a token. */
export const healthPath = `${rootPath}/health`

export const serviceDocumentPath = `${rootPath}/openapi.json`

export const fixtureSchemaPath = `${rootPath}/fixture.schema.json`

export const eventsSchemaPath = `${rootPath}/events.schema.json`

export const apiPath = `${rootPath}/api`

export const controlDocumentPath = `${apiPath}/openapi.json`
