import { MockError } from '../errors.ts'
import { spanOf } from './clock/time.ts'
import type { ValuePort } from './ports.ts'
import type { User } from './records/users.ts'

interface SignedInTeam {
  users: { get(id: string): User | undefined }
  clock: { now(): Date }
}

/** The content of a sign-in token. */
interface TokenContent {
  user_id: string
  /** The end of the token's validity, in virtual time. */
  expires_at: Date
}

/** Creates a token for the mobile SDKs. The format is an assumption, and the signature is random. */
export function issueSignInToken(userId: string, { random, clock, settings }: ValuePort): string {
  const issued = Math.floor(clock.moment / 1000)
  const expires = Math.floor((clock.moment + spanOf(settings.signInTokenLifetime)) / 1000)
  const parts = [
    base64url(JSON.stringify({ alg: 'HS256', typ: 'JWT' })),
    base64url(JSON.stringify({ sub: userId, iat: issued, exp: expires })),
    base64url(random.uuid()),
  ]
  const publicKey = random.fork('public key').uuid().replaceAll('-', '')
  return btoa(JSON.stringify({ public_key: publicKey, user_token: parts.join('.') }))
}

/** @throws {MockError} `invalid_state` if the token is malformed, has expired, or is for an unknown user. */
export function findSignedInUser(token: string, { users, clock }: SignedInTeam): User {
  const { user_id, expires_at } = readSignInToken(token)
  const user = users.get(user_id)
  if (!user)
    throw new MockError(
      'invalid_state',
      'This team has no user with the id in the sign-in token. Use a token that this team created for an existing user.',
    )
  if (expires_at <= clock.now()) {
    throw new MockError(
      'invalid_state',
      'The sign-in token has expired. Create a new one with users.createSignInToken().',
    )
  }
  return user
}

function readSignInToken(token: string): TokenContent {
  try {
    const { user_token } = JSON.parse(atob(token))
    const { sub, exp } = JSON.parse(fromBase64url(user_token.split('.')[1]))
    return { user_id: sub, expires_at: new Date(exp * 1000) }
  } catch (cause) {
    throw new MockError(
      'invalid_state',
      'The sign-in token is invalid: the mock did not create it. Use a token from users.createSignInToken().',
      { cause },
    )
  }
}

function base64url(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function fromBase64url(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)))
}
