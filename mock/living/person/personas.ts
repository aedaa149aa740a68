import { keysOf, ownValue } from '../../../src/shared/narrow.ts'
import type { Habit, Persona } from './persona.ts'

const usualHabits: readonly Habit[] = [
  { sport: 'running', minutes: 38, intensity: 0.6, weight: 3 },
  { sport: 'cycling', minutes: 55, intensity: 0.5, weight: 2 },
  { sport: 'strength_training', minutes: 45, intensity: 0.45, weight: 2 },
  { sport: 'yoga', minutes: 45, intensity: 0.12, weight: 1 },
]

const gentleHabits: readonly Habit[] = [
  { sport: 'walking', minutes: 45, intensity: 0.15, weight: 5 },
  { sport: 'yoga', minutes: 40, intensity: 0.1, weight: 2 },
  { sport: 'swimming', minutes: 35, intensity: 0.35, weight: 1 },
]

/** Works in an office, does some sport, and sleeps longer at weekends. */
const typical = {
  name: 'typical',
  ages: [22, 64],
  work: 'office',
  chronotype: 0,
  sleepNeed: 0,
  interruptions: 0.1,
  naps: 0.04,
  fitness: 0.38,
  workouts: 2.6,
  habits: usualHabits,
  movement: 1,
  bodyMassIndex: 25.5,
  stress: 0.35,
  illness: 0.3,
  // Users without a persona stay in the team's time zone, as tests expect.
  trips: 0,
} as const satisfies Persona

export const personas = {
  typical,
  /** Trains almost daily, sometimes twice a day. The resting heart rate is low, and rises after hard weeks. */
  athlete: {
    ...typical,
    name: 'athlete',
    ages: [19, 38],
    work: 'none',
    chronotype: -45,
    sleepNeed: 35,
    naps: 0.3,
    fitness: 0.92,
    workouts: 8.5,
    habits: [
      { sport: 'running', minutes: 62, intensity: 0.66, weight: 4 },
      { sport: 'cycling', minutes: 125, intensity: 0.56, weight: 3 },
      { sport: 'swimming', minutes: 60, intensity: 0.6, weight: 2 },
      { sport: 'strength_training', minutes: 50, intensity: 0.5, weight: 1 },
    ],
    bodyMassIndex: 21.8,
    stress: 0.22,
    trips: 0.3,
  },
  /** Works at a desk, moves little, sleeps too little and catches up at weekends. */
  office_worker: {
    ...typical,
    name: 'office_worker',
    ages: [25, 60],
    chronotype: 75,
    sleepNeed: 30,
    fitness: 0.24,
    workouts: 0.8,
    movement: 0.62,
    bodyMassIndex: 27.4,
    stress: 0.52,
    trips: 0.2,
  },
  /** Rotates through early, late and night shifts. Sleeps at irregular hours, often during the day. */
  shift_worker: {
    ...typical,
    name: 'shift_worker',
    ages: [21, 58],
    work: 'shifts',
    naps: 0.12,
    fitness: 0.3,
    workouts: 1.4,
    movement: 1.15,
    bodyMassIndex: 27.8,
    stress: 0.5,
    trips: 0.08,
  },
  /** Wakes several times a night, sleeps too little and naps during the day. */
  new_parent: {
    ...typical,
    name: 'new_parent',
    ages: [24, 42],
    work: 'none',
    interruptions: 2.9,
    naps: 0.45,
    fitness: 0.32,
    workouts: 0.7,
    habits: gentleHabits,
    movement: 0.9,
    stress: 0.48,
    illness: 0.45,
    trips: 0,
  },
  /** Has type 1 diabetes: glucose swings widely after meals and falls with exercise. */
  type_1_diabetic: {
    ...typical,
    name: 'type_1_diabetic',
    ages: [18, 60],
    interruptions: 0.35,
    isDiabetic: true,
  },
  /** Is pregnant: weight and resting heart rate rise for 40 weeks, and nights become restless. */
  pregnancy: {
    ...typical,
    name: 'pregnancy',
    ages: [22, 40],
    sex: 'female',
    sleepNeed: 25,
    interruptions: 0.4,
    naps: 0.18,
    workouts: 1.8,
    habits: gentleHabits,
    movement: 0.9,
    bodyMassIndex: 24,
    trips: 0.05,
    isPregnant: true,
  },
  /** Is retired: goes to bed early, sleeps lightly, often naps after lunch, and walks almost daily. */
  older_adult: {
    ...typical,
    name: 'older_adult',
    ages: [66, 86],
    work: 'none',
    chronotype: -100,
    interruptions: 0.55,
    naps: 0.4,
    fitness: 0.26,
    workouts: 3.2,
    habits: gentleHabits,
    movement: 0.95,
    bodyMassIndex: 26.8,
    stress: 0.22,
    trips: 0.06,
  },
} as const satisfies Readonly<Record<string, Persona>>

export type PersonaName = keyof typeof personas

export const personaNames: readonly PersonaName[] = keysOf(personas)

/** Returns a persona by name, or the typical persona for an unknown or omitted name. */
export function personaOf(name: string = typical.name): Persona {
  return ownValue<Persona>(personas, name) ?? typical
}
