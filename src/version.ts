/** The web address of the documentation, without a slash at the end: `homepage` of package.json, or empty without one. */
export const homepage: string = ''

/** The version of this package, sent as `user-agent`; a test keeps it equal to package.json. */
export const version = '0.1.0'
