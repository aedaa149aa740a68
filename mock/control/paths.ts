/** The default port of `health-lab-sdk mock`. */
export const defaultPort = 4010

/** The request header that contains the control token. */
export const tokenHeader = 'x-mock-token'

/** The prefix of a mock server's own paths, which are not part of the service. */
export const rootPath = '/__mock__'

export const pagePath = `${rootPath}/`

/** The health check's path, which needs no key and no token. */
export const healthPath = `${rootPath}/health`

/** The path of the service's OpenAPI document. */
export const serviceDocumentPath = `${rootPath}/openapi.json`

export const fixtureSchemaPath = `${rootPath}/fixture.schema.json`

export const eventsSchemaPath = `${rootPath}/events.schema.json`

/** The prefix of the control API's paths. */
export const apiPath = `${rootPath}/api`

export const controlDocumentPath = `${apiPath}/openapi.json`
