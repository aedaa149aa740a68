/** The version of this package, sent as `user-agent`; a test holds it equal to package.json. */
export const version = '0.1.0'
