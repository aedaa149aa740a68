/** How requests are logged. */
export const logFormats = ['lines', 'json', 'off'] as const

/** One of {@link logFormats}. */
export type LogFormat = (typeof logFormats)[number]
