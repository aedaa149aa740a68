import { missingPeer } from '../../src/peers.ts'
import { MockError } from '../errors.ts'

/**
 * A module that needs an optional package.
 *
 * @param user What needs the package, such as `health-lab-sdk/mock`.
 * @throws {MockError} `missing_package`
 */
export async function withPackage<T>(user: string, module: Promise<T>): Promise<T> {
  try {
    return await module
  } catch (cause) {
    const message = missingPeer(cause, user)
    throw message ? new MockError('missing_package', message, { cause }) : cause
  }
}
