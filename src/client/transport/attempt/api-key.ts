import { type ClientSettings, isApiKey } from '../../options/settings.ts'

/** Thrown when the `apiKey` function throws or does not return an API key. */
export class ApiKeyError extends Error {}

/**
 * Returns the API key; calls the function when it is one.
 *
 * @throws {ApiKeyError} when the function fails.
 */
export async function resolveApiKey(apiKey: ClientSettings['apiKey']): Promise<string> {
  if (typeof apiKey === 'string') return apiKey
  const key = await callKeyFunction(apiKey)
  if (isApiKey(key)) return key
  throw new ApiKeyError()
}

async function callKeyFunction(apiKey: () => string | Promise<string>): Promise<unknown> {
  try {
    return await apiKey()
  } catch (cause) {
    throw new ApiKeyError('', { cause })
  }
}
