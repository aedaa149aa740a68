import { Option } from 'commander'
import { Failure } from './failure.ts'

/** The option that says whose key is sent. */
export function keyOption(): Option {
  return new Option('--key <text>', "the team's API key").env('SERVICE_API_KEY')
}

/** The option of a mock that wants a token of whoever controls it. */
export function tokenOption(): Option {
  return new Option('--token <text>', 'the control token of that mock').env('HEALTH_LAB_MOCK_TOKEN')
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
