import { InvalidArgumentError, Option } from 'commander'
import { Failure } from './failure.ts'

/** The option that says whose key is sent. */
export function keyOption(): Option {
  return new Option('--key <text>', "the team's API key").env('SERVICE_API_KEY')
}

/** The option for the control token of a mock. */
export function tokenOption(description: string): Option {
  return new Option('--token <text>', description).env('HEALTH_LAB_MOCK_TOKEN').argParser(tokenIn)
}

/** A blank token is that of a variable which is not set; a server with it would let everybody in. */
function tokenIn(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('Expected a token that is not blank. Leave it out for none.')
}

/** @throws {Failure} When there is no key. */
export function checkKey(key: string | undefined): asserts key is string {
  if (!key) throw new Failure('Expected an API key: --key, or SERVICE_API_KEY.', 2)
}

/** @throws {Failure} When the text is no URL of a service. */
export function checkUrl(url: string): void {
  if (URL.canParse(url) && /^https?:/.test(url)) return
  throw new Failure('Expected --url to be an http or https URL.', 2)
}
