import { adopt } from '../../../shared/adopt.ts'
import { ownFields } from '../../../shared/own-fields.ts'
import { isApiKey } from '../../options/settings.ts'

export class ApiKeyError extends Error {}

export async function callKeyFunction(apiKey: () => string | Promise<string>): Promise<string> {
  const key = await tryCall(apiKey)
  if (isApiKey(key)) return key
  throw new ApiKeyError()
}

async function tryCall(apiKey: () => string | Promise<string>): Promise<unknown> {
  try {
    return await adopt(apiKey())
  } catch (cause) {
    throw new ApiKeyError('', ownFields({ cause }))
  }
}
