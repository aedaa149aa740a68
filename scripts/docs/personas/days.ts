import type { LivingPerson } from '../../../mock/living/person/life.ts'
import type { Persona } from '../../../mock/living/person/persona.ts'
import type { SleepStage } from '../../../mock/living/plan/day-plan.ts'
import { planOf } from '../../../mock/living/plan/plan.ts'
import { samplesOf } from '../../../mock/living/signals/samples.ts'
import { Random } from '../../../mock/reference-data/random.ts'

const day = 24 * 60 * 60 * 1000

/** The charts' first day, a Monday, and their length in days. */
const firstDay = Date.UTC(2025, 5, 2) / day
export const dayCount = 14

export interface ChartDay {
  /** The hours from midnight during which the person is asleep. Negative hours are in the previous evening. */
  asleep: { start: number; end: number; isNap: boolean }[]
  restingHeartRate: number
  steps: number
  glucose: { lowest: number; highest: number }
}

/** The person is in the middle of the persona's age range. */
export function chartDays(persona: Persona): ChartDay[] {
  const [youngest, oldest] = persona.ages
  const person: LivingPerson = {
    random: new Random(`docs/${persona.name}`),
    persona: { ...persona, trips: 0, illness: 0 },
    sex: 'female',
    born: firstDay - Math.round(((youngest + oldest) / 2) * 365.25),
    zone: 'Europe/Berlin',
  }
  return Array.from({ length: dayCount }, (_, at) => chartDay(person, firstDay + at))
}

function chartDay(person: LivingPerson, date: number): ChartDay {
  const { start: midnight, sleeps, body } = planOf(person, date)
  const { steps, glucose } = samplesOf(person, date)
  const hours = (moment: number) => (moment - midnight) / (60 * 60 * 1000)
  return {
    asleep: sleeps.flatMap(({ stages, isNap }) =>
      asleepSpans(stages).map(({ start, end }) => ({
        start: hours(start),
        end: hours(end),
        isNap,
      })),
    ),
    restingHeartRate: body.restingHeartRate,
    steps: steps.reduce((sum, value) => sum + value, 0),
    glucose: { lowest: Math.min(...glucose), highest: Math.max(...glucose) },
  }
}

function asleepSpans(stages: readonly SleepStage[]): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  for (const { start, end, type } of stages) {
    const last = spans.at(-1)
    if (type === 'awake') continue
    if (last?.end === start) last.end = end
    else spans.push({ start, end })
  }
  return spans
}
