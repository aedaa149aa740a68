/** Returns the type of a data event; hypnograms have types of their own (specification part 6). */
export function dataEventType(
  span: 'daily' | 'historical',
  resource: string,
  change: 'created' | 'updated',
): string {
  const kind = resource === 'hypnogram' ? 'timeseries' : 'data'
  return `${span}.${kind}.${resource}.${change}`
}
