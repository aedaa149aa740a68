import { controlDocumentPath, healthPath, pagePath, serviceDocumentPath } from '../control/paths.ts'
import type { RequestHead } from '../http/request/request.ts'
import { type SerializedResponse, ServiceResponse, serializeResponse } from '../http/response.ts'

const links = [
  { path: pagePath, label: 'Inspector' },
  { path: healthPath, label: 'Health' },
  { path: serviceDocumentPath, label: 'OpenAPI document of the service' },
  { path: controlDocumentPath, label: 'OpenAPI document of the control API' },
]

/** Returns the response for `/` or the health check, which require no token, or undefined for other requests. */
export function publicPage({ method, path, headers }: RequestHead): SerializedResponse | undefined {
  if (method !== 'GET') return undefined
  if (path === healthPath) return respond(new ServiceResponse(200, { status: 'ready' }))
  if (path !== '/') return undefined
  const isBrowser = headers['accept']?.includes('text/html') ?? false
  return respond(isBrowser ? htmlPage() : textPage())
}

function respond(response: ServiceResponse): SerializedResponse {
  return serializeResponse(response, 'req_0')
}

const title = 'Mock of the Health Data and Lab Ordering Service'
const advice =
  'Requests to the service require an API key in the x-service-api-key header. Each key has its own team.'

function textPage(): ServiceResponse {
  const lines = links.map(({ path, label }) => `${path}  ${label}`)
  return new ServiceResponse(200, `${[title, advice, '', ...lines].join('\n')}\n`, 'text/plain')
}

function htmlPage(): ServiceResponse {
  const items = links.map(({ path, label }) => `<li><a href="${path}">${label}</a></li>`).join('')
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><h1>${title}</h1><p>${advice}</p><ul>${items}</ul></html>`
  return new ServiceResponse(200, html, 'text/html; charset=utf-8', {
    'content-security-policy': "default-src 'none'",
  })
}
