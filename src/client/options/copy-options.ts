import { ownFields } from '../../shared/own-fields.ts'
import { tryRead } from '../copy-input.ts'
import { headerPairs } from '../headers.ts'
import type { RequestOptions } from './request-options.ts'

const noOptions: RequestOptions = Object.freeze(ownFields({}))

/** Copies options, so later changes to the original have no effect. The signal itself is shared. */
export function copyOptions<Options extends RequestOptions>(options?: Options): Options {
  // An empty object is valid, because every option is optional.
  if (options === undefined) return noOptions as Options
  return tryRead(() => {
    if (typeof options !== 'object' || options === null) throw new TypeError()
    const copy = ownFields(options)
    const { headers } = copy
    if (headers !== undefined) copy.headers = tryRead(() => headerPairs(headers))
    return copy
  })
}
