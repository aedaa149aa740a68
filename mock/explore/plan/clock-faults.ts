/** The most events at the same time of which each one can be chosen to run first. */
const mostTied = 5

/** The orders of events that are due at the same time: which one runs next instead of the first scheduled one. */
export const clockFaults = Array.from({ length: mostTied - 1 }, (_, index) => ({
  name: `next_${index + 2}`,
  rank: 4,
  index: index + 1,
  text: `number ${index + 2} runs first, before those that were scheduled earlier`,
}))
