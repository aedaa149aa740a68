/** The documentation's URL without a trailing slash: `homepage` in package.json, or empty if that field is missing. */
export const homepage: string = ''

/** Sent in `user-agent`. A test compares it with package.json. */
export const version = '0.1.0'
