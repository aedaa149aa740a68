import { MockError } from '../errors.ts'
import { spanOf } from './time.ts'
import type { World } from './world.ts'

/** What a sign-in token says (specification 2.3). */
export interface SignIn {
  user_id: string
  issued_at: Date
  expires_at: Date
}

/** A token for the mobile SDKs, in the form the service is presumed to use. Its signature verifies nothing. */
export function signInToken(userId: string, { random, clock, settings }: World): string {
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

/** Reads a token as the mobile SDK would. */
export function readSignInToken(token: string): SignIn {
  try {
    const { user_token } = JSON.parse(atob(token))
    const { sub, iat, exp } = JSON.parse(fromBase64url(user_token.split('.')[1]))
    return {
      user_id: sub,
      issued_at: new Date(iat * 1000),
      expires_at: new Date(exp * 1000),
    }
  } catch (cause) {
    throw new MockError('invalid_state', 'Expected a sign-in token that the mock made.', { cause })
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
