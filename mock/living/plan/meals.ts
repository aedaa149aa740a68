import { hour, minute } from '../../shared/time-units.ts'
import { Draws } from '../noise.ts'
import type { Life } from '../person/life.ts'
import type { BodyState, PlannedMeal, PlannedSleep, PlannedWorkout } from './day-plan.ts'
import { daySpanOf, flightOf, momentAt } from './day-span.ts'
import { placeNear, type Span, widen, without } from './spans.ts'
import { restOfShift } from './work.ts'

/**
 * The usual meals: the minute of the day, the share of the day's energy, and the share of days with this meal.
 */
const usual = [
  { name: 'Breakfast', at: 7 * 60 + 40, share: 0.22, days: 0.86 },
  { name: 'Snack', at: 10 * 60 + 30, share: 0.07, days: 0.35 },
  { name: 'Lunch', at: 12 * 60 + 40, share: 0.32, days: 0.95 },
  { name: 'Snack', at: 16 * 60, share: 0.08, days: 0.45 },
  { name: 'Dinner', at: 19 * 60 + 10, share: 0.36, days: 0.98 },
] as const

/** The parts of a day's plan that determine its meals. */
interface Day {
  readonly sleeps: readonly PlannedSleep[]
  /** The main sleep that ends on the next day. */
  readonly nextNight: Span | undefined
  readonly workouts: readonly PlannedWorkout[]
  readonly body: BodyState
}

/** Returns a day's meals in chronological order. No meal overlaps sleep or a workout. */
export function mealsOf(life: Life, date: number, day: Day): PlannedMeal[] {
  const span = daySpanOf(life, date)
  const draws = new Draws(life.seeds.meal, date)
  const energy = energyOf(day)
  const free = without([span], busySpans(day))
  const late = life.traits.chronotype / 2
  const meals: PlannedMeal[] = []
  for (const { name, at, share, days } of usual) {
    const isEaten = draws.next() < days - 0.3 * day.body.illness
    const calories = energy * draws.around(share, share * 0.4)
    const wanted = momentAt(span, Math.round(at + late + draws.around(0, 45)))
    if (isEaten) addMeal(meals, { name, wanted, calories }, free, draws)
  }
  for (const moment of extraMoments(life, date)) {
    addMeal(meals, { name: 'Snack', wanted: moment, calories: energy * 0.14 }, free, draws)
  }
  return meals.toSorted((a, b) => a.at - b.at)
}

/** Adds a meal if it fits within two hours of the preferred time and is at least an hour from every other meal. */
function addMeal(
  meals: PlannedMeal[],
  { name, wanted, calories }: { name: string; wanted: number; calories: number },
  free: readonly Span[],
  draws: Draws,
) {
  const place = placeNear(wanted, 10 * minute, free)
  const carbohydrateGram = Math.round((calories * draws.around(0.47, 0.12)) / 4)
  const proteinGram = Math.round((calories * draws.around(0.18, 0.06)) / 4)
  const fatGram = Math.max(0, Math.round((calories - 4 * (carbohydrateGram + proteinGram)) / 9))
  if (!place || Math.abs(place.start - wanted) > 2 * hour) return
  if (meals.some(({ at }) => Math.abs(at - place.start) < hour)) return
  meals.push({
    at: place.start,
    name,
    calories: 4 * (carbohydrateGram + proteinGram) + 9 * fatGram,
    carbohydrateGram,
    proteinGram,
    fatGram,
  })
}

/** Returns the kilocalories that a person eats on a day. */
function energyOf({ body, workouts }: Day): number {
  const exercise = workouts.reduce((sum, { start, end, intensity }) => {
    return sum + ((end - start) / hour) * (2 + 8 * intensity) * body.weightKilogram
  }, 0)
  return body.basalCalories * (1.4 - 0.3 * body.illness) + exercise * 0.8
}

/** Returns the times of additional meals during a night shift and after a flight. */
function extraMoments(life: Life, date: number): number[] {
  const flight = flightOf(daySpanOf(life, date))
  return [
    ...restOfShift(life, date).map(({ end }) => end - 4.5 * hour),
    ...(flight === undefined ? [] : [flight + 2 * hour]),
  ]
}

function busySpans({ sleeps, nextNight, workouts }: Day): Span[] {
  return [
    ...sleeps.map((sleep) => widen(sleep, hour / 2, hour / 4)),
    ...(nextNight ? [widen(nextNight, hour / 2)] : []),
    ...workouts.map((workout) => widen(workout, hour / 2, hour / 6)),
  ]
}
