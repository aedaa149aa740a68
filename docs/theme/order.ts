/** The pages in the order in which the reference site and llms.txt show them; one that is not named comes after these. */
export const order: readonly string[] = [
  'getting-started',
  'errors-and-retries',
  'pagination',
  'bulk-import',
  'aggregate',
  'events',
  'operations',
  'deprecations',
  'security',
  'threat-model',
  'otel',
  'runtimes',
  'testing-with-the-mock',
  'time-travel',
  'faults',
  'mock-server',
  'other-languages',
  'conformance',
  'openapi',
  'open-points',
  'specification',
  'design',
  'benchmarks',
  'mutation',
  'soak',
]

/** The place of a page, `operations` or `decisions/0001-our-own-retries`; decisions are the last. */
export function placeOf(page: string): number {
  const place = order.indexOf(page)
  if (place >= 0) return place
  return page.startsWith('decisions/') ? order.length + 1 : order.length
}
