/** The sport ids, by slug. They are an assumption, because the specification does not define any. */
const sportIds: Readonly<Record<string, number>> = {
  walking: 300,
  running: 301,
  trail_running: 302,
  hiking: 303,
  cycling: 310,
  swimming: 320,
  rowing: 321,
  strength_training: 330,
  yoga: 340,
}

export function sportId(slug: unknown): number | null {
  return typeof slug === 'string' && Object.hasOwn(sportIds, slug) ? (sportIds[slug] ?? null) : null
}
