import { missingPeer } from '../../src/peers.ts'
import { MockError } from '../errors.ts'

/**
 * Returns a module that needs an optional package.
 *
 * @param user The module that needs the package, such as `health-lab-sdk/mock`.
 * @throws {MockError} `missing_package` if the package is not installed.
 */
export async function withPackage<T>(user: string, module: Promise<T>): Promise<T> {
  try {
    return await module
  } catch (cause) {
    const message = missingPeer(cause, user)
    throw message ? new MockError('missing_package', message, { cause }) : cause
  }
}
