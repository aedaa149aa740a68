/**
 * The movement, energy and heart rate of a sport. A value is `easy` at the minimum intensity, and `easy + more` at the
 * maximum.
 */
interface Sport {
  /** Steps per minute. */
  readonly cadence: readonly [easy: number, more: number]
  /** Meters per minute. */
  readonly speed: readonly [easy: number, more: number]
  /** Energy expenditure, as multiples of the resting rate (MET). */
  readonly energy: readonly [easy: number, more: number]
  /** The share of the heart rate reserve. */
  readonly heart: readonly [easy: number, more: number]
}

const usual: Sport = { cadence: [20, 20], speed: [0, 0], energy: [4, 6], heart: [0.3, 0.5] }

const sports: Readonly<Record<string, Sport>> = {
  running: { cadence: [152, 26], speed: [105, 125], energy: [6.5, 7.5], heart: [0.46, 0.46] },
  cycling: { cadence: [0, 0], speed: [270, 330], energy: [4, 8.5], heart: [0.38, 0.48] },
  swimming: { cadence: [0, 0], speed: [22, 38], energy: [5, 5.5], heart: [0.38, 0.45] },
  walking: { cadence: [104, 26], speed: [72, 30], energy: [3, 2.2], heart: [0.22, 0.3] },
  strength_training: { cadence: [9, 8], speed: [0, 0], energy: [3.2, 3.2], heart: [0.26, 0.36] },
  yoga: { cadence: [0, 0], speed: [0, 0], energy: [2.3, 1.6], heart: [0.12, 0.28] },
}

/** Returns the movement, energy and heart rate of a sport at an intensity from 0 to 1. */
export function effortOf(slug: string, intensity: number) {
  const sport = Object.hasOwn(sports, slug) ? sports[slug] : undefined
  const { cadence, speed, energy, heart } = sport ?? usual
  const at = ([easy, more]: readonly [number, number]) => easy + more * intensity
  return { cadence: at(cadence), speed: at(speed), energy: at(energy), heart: at(heart) }
}
