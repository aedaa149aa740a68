import { keysOf } from '../../../src/shared/narrow.ts'

/** When a device measures: around the clock, only at night, only by day, or only during workouts. */
type Use = 'worn' | 'nights' | 'carried' | 'workouts'

export interface DeviceKind {
  /** The source type, such as `ring`. */
  readonly type: string
  readonly use: Use
  readonly tables: readonly string[]
  /** The minutes between two samples, keyed by time series, or 0 for single measurements. */
  readonly series: Readonly<Record<string, number>>
  /** The share of movement that the device counts. */
  readonly movement: number
  /** The maximum heart rate error, in beats per minute. */
  readonly error: number
  /** The shares of days and nights on which the device is worn. */
  readonly days: number
  readonly nights: number
  /** A break to charge the device or change its sensor: the length in minutes, and the interval in days. */
  readonly pause: readonly [minutes: number, days: number]
}

const movement = { steps: 1, distance: 1, calories_active: 1, floors_climbed: 1 }
const everyDay = { movement: 1, error: 0, days: 1, nights: 1, pause: [0, 1] } as const

const deviceKinds = {
  watch: {
    ...everyDay,
    type: 'watch',
    use: 'worn',
    tables: ['sleep', 'activity', 'workout'],
    series: {
      heartrate: 1,
      ...movement,
      calories_basal: 60,
      stress_level: 3,
      hrv: 5,
      respiratory_rate: 5,
      blood_oxygen: 15,
      workout_duration: 0,
      workout_distance: 0,
      vo2_max: 0,
    },
    days: 0.97,
    nights: 0.6,
    pause: [70, 1],
  },
  ring: {
    ...everyDay,
    type: 'ring',
    use: 'worn',
    tables: ['sleep', 'activity'],
    series: {
      heartrate: 5,
      steps: 15,
      distance: 15,
      calories_active: 15,
      calories_basal: 60,
      hrv: 5,
      respiratory_rate: 5,
      blood_oxygen: 5,
      body_temperature_delta: 0,
    },
    movement: 0.93,
    error: 2,
    days: 0.8,
    nights: 0.94,
    pause: [60, 3],
  },
  phone: {
    ...everyDay,
    type: 'phone',
    use: 'carried',
    tables: ['activity'],
    series: {
      steps: 10,
      distance: 10,
      floors_climbed: 10,
      calories_active: 10,
      calories_basal: 60,
      basal_body_temperature: 0,
      caffeine: 0,
      daylight_exposure: 0,
      handwashing: 0,
      heart_rate_recovery_one_minute: 0,
      mindfulness_minutes: 0,
      sleep_breathing_disturbance: 0,
      stand_duration: 0,
      stand_hour: 0,
      uv_exposure: 0,
      vo2_max: 0,
      water: 0,
    },
    movement: 0.9,
    nights: 0,
  },
  scale: {
    ...everyDay,
    type: 'scale',
    use: 'worn',
    tables: ['body'],
    series: {
      weight: 0,
      fat: 0,
      body_mass_index: 0,
      lean_body_mass: 0,
      waist_circumference: 0,
      body_temperature: 0,
      blood_pressure: 0,
    },
    days: 0.4,
  },
  food: {
    ...everyDay,
    type: 'app',
    use: 'worn',
    tables: ['meal', 'body'],
    series: { carbohydrates: 0, weight: 0, water: 0, caffeine: 0 },
    days: 0.1,
  },
  glucose: {
    ...everyDay,
    type: 'automatic',
    use: 'worn',
    tables: [],
    series: { glucose: 5, carbohydrates: 0, insulin_injection: 0, note: 0 },
    pause: [120, 10],
  },
  fingerprick: {
    ...everyDay,
    type: 'fingerprick',
    use: 'worn',
    tables: [],
    series: { glucose: 0, carbohydrates: 0, insulin_injection: 0, note: 0 },
    days: 0.9,
  },
  cuff: {
    ...everyDay,
    type: 'cuff',
    use: 'worn',
    tables: [],
    series: { heartrate: 0, blood_pressure: 0 },
    error: 2,
    days: 0.5,
  },
  bed: {
    ...everyDay,
    type: 'automatic',
    use: 'nights',
    tables: ['sleep'],
    series: { heartrate: 5, hrv: 5, respiratory_rate: 5 },
    error: 1,
    nights: 0.95,
  },
  sport: {
    ...everyDay,
    type: 'app',
    use: 'workouts',
    tables: ['workout', 'activity'],
    series: {
      heartrate: 1,
      distance: 1,
      calories_active: 1,
      workout_duration: 0,
      workout_distance: 0,
    },
    days: 0.9,
    nights: 0,
  },
  manual: {
    ...everyDay,
    type: 'app',
    use: 'worn',
    tables: ['body'],
    series: { weight: 0, glucose: 0, blood_pressure: 0, note: 0 },
    days: 0.1,
  },
  /** A lab sends order results but no health data. */
  lab: { ...everyDay, type: 'lab', use: 'worn', tables: [], series: {} },
} as const satisfies Record<string, DeviceKind>

/** The providers of each device kind. All other providers have a watch. */
const providersOfKinds: Readonly<Partial<Record<keyof typeof deviceKinds, readonly string[]>>> = {
  ring: ['oura', 'ultrahuman'],
  phone: ['apple_health_kit', 'health_connect', 'samsung_health', 'google_fit'],
  scale: ['withings', 'renpho', 'beurer_api'],
  food: ['my_fitness_pal_v2', 'my_fitness_pal', 'cronometer'],
  glucose: [
    'dexcom',
    'dexcom_v3',
    'freestyle_libre',
    'freestyle_libre_ble',
    'abbott_libreview',
    'tandem_source',
  ],
  fingerprick: ['onetouch_ble', 'accuchek_ble', 'contour_ble'],
  cuff: ['ihealth', 'omron', 'omron_ble', 'beurer_ble', 'kardia'],
  bed: ['eight_sleep'],
  sport: ['strava', 'peloton', 'wahoo', 'zwift', 'hammerhead', 'map_my_fitness', 'runkeeper'],
  manual: ['manual'],
  lab: ['lab_report'],
}

const kindsByProvider = new Map(
  keysOf(providersOfKinds).flatMap((kind) =>
    (providersOfKinds[kind] ?? []).map((provider) => [provider, kind] as const),
  ),
)

export function kindOf(provider: string): DeviceKind {
  return deviceKinds[kindsByProvider.get(provider) ?? 'watch']
}

/**
 * Returns the minutes between a time series' samples. If this kind does not measure the series, returns the interval of
 * a watch, glucose sensor or scale, or undefined if none of them measures it.
 */
export function intervalOf(kind: DeviceKind, resource: string): number | undefined {
  const { watch, glucose, scale }: Record<string, DeviceKind> = deviceKinds
  return [kind, watch, glucose, scale]
    .map((of) => of?.series[resource])
    .find((found) => found !== undefined)
}
