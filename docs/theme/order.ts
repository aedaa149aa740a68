/** The order of the pages in the reference site and in llms.txt; other pages follow. */
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

/** Returns the position of a page, such as `operations` or `decisions/0001-our-own-retries`; decisions are last. */
export function placeOf(page: string): number {
  const place = order.indexOf(page)
  if (place >= 0) return place
  return page.startsWith('decisions/') ? order.length + 1 : order.length
}
