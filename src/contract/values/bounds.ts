/** The bounds and defaults of marker pagination (specification part 8). */
export const markerPage = { minimum: 1, default: 1 } as const
export const markerPageSize = { minimum: 1, maximum: 100, default: 50 } as const

/** The number of lab tests per page. The default is assumed, and the specification sets no maximum. */
export const labTestPageSize = { default: 50 } as const

/** The number of bulk operations per page (assumption). The service enforces the bounds; the client does not. */
export const bulkOpPageSize = { maximum: 50, default: 10 } as const

/** The maximum length of `appointment_notes`, in characters (specification part 8). */
export const notesLength = 1000

/**
 * The timeouts for a booking, in milliseconds (specification part 8). Both apply only if `async_confirmation` is true.
 */
export const confirmationTimeouts = {
  sync: { minimum: 1000, maximum: 10_000, default: 2500 },
  async: { minimum: 60_000, maximum: 172_800_000, default: 15 * 60_000 },
} as const

/** The maximum wait for a bulk import with `wait_for_completion`, in milliseconds (specification part 8). */
export const bulkImportWait = 20_000

/**
 * The time that the client allows for a synchronous confirmation, in milliseconds. The specification sets no bound.
 * With the default timeout added, it stays below 300 seconds, the headers timeout of Node's fetch.
 */
export const synchronousBookingWait = 240_000

/** The number of days for which an order's signed `requisition_form_url` is valid (specification part 8). */
export const requisitionUrlDays = 7

const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9\-.,']*(?: [a-zA-Z0-9\-.,']+)*$/

/**
 * Returns whether a first or last name passes the labs' name validation (specification 2.1, rules assumed). The name
 * must start with a letter or digit and contain only unaccented letters, digits, `-`, `.`, `,`, `'` and single inner
 * spaces. The client does not check names. Call this function to warn your users early.
 *
 * @example
 * isLabName("O'Connor") // true
 * isLabName('José') // false
 */
export function isLabName(name: string): boolean {
  return namePattern.test(name)
}
