import type { Provider } from '../../src/contract/link.ts'
import type { ProviderAuthType } from '../../src/contract/values/known-values.ts'
import type { SupportedResource } from '../../src/contract/values/resources.ts'

/** A data provider as a team lists it (specification 4.9). */
export interface TeamProvider extends Provider {
  /** The source type by which the list endpoint filters, such as `device`. */
  source_type: string
}

/** The supported resources, by kind of provider. */
const kinds = {
  wearable: [
    'profile',
    'activity',
    'sleep',
    'body',
    'workouts',
    'workout_stream',
    'heartrate',
    'hrv',
    'blood_oxygen',
    'steps',
    'calories_active',
    'calories_basal',
    'distance',
    'respiratory_rate',
    'sleep_cycle',
    'stress_level',
    'body_temperature_delta',
  ],
  sport: [
    'profile',
    'activity',
    'workouts',
    'workout_stream',
    'heartrate',
    'distance',
    'calories_active',
    'workout_distance',
    'workout_duration',
  ],
  glucose: ['glucose', 'device', 'device_legacy', 'insulin_injection', 'carbohydrates', 'note'],
  pressure: ['blood_pressure', 'heartrate', 'device'],
  scale: [
    'body',
    'weight',
    'fat',
    'body_mass_index',
    'lean_body_mass',
    'profile',
    'blood_pressure',
    'body_temperature',
  ],
  food: ['meal', 'water', 'caffeine', 'body', 'weight', 'carbohydrates'],
  phone: [
    'profile',
    'activity',
    'sleep',
    'body',
    'workouts',
    'meal',
    'heartrate',
    'hrv',
    'blood_oxygen',
    'blood_pressure',
    'glucose',
    'steps',
    'distance',
    'floors_climbed',
    'vo2_max',
    'water',
    'caffeine',
    'mindfulness_minutes',
    'respiratory_rate',
    'menstrual_cycle',
    'sleep_cycle',
    'electrocardiogram',
    'afib_burden',
    'stand_hour',
    'stand_duration',
    'basal_body_temperature',
    'body_temperature',
    'calories_active',
    'calories_basal',
    'heart_rate_alert',
    'heart_rate_recovery_one_minute',
    'sleep_apnea_alert',
    'sleep_breathing_disturbance',
    'wheelchair_push',
    'forced_expiratory_volume_1',
    'forced_vital_capacity',
    'peak_expiratory_flow_rate',
    'inhaler_usage',
    'fall',
    'uv_exposure',
    'daylight_exposure',
    'handwashing',
    'waist_circumference',
    'workout_swimming_stroke',
    'hypnogram',
  ],
  heart: ['electrocardiogram', 'electrocardiogram_voltage', 'heart_rate_alert', 'blood_pressure'],
  sleep: ['sleep', 'sleep_cycle', 'heartrate', 'hrv', 'respiratory_rate', 'sleep_stream'],
  manual: ['glucose', 'blood_pressure', 'weight', 'note'],
  lab: [
    'connection',
    'order',
    'result',
    'match_review',
    'appointment',
    'ige',
    'igg',
    'cholesterol',
  ],
} as const satisfies Record<string, readonly SupportedResource[]>

type ProviderRow = [
  slug: string,
  name: string,
  kind: keyof typeof kinds,
  auth: ProviderAuthType | null,
  source: 'app' | 'ble' | 'device' | 'lab' | 'provider',
]

const providerRows: ProviderRow[] = [
  ['oura', 'Oura', 'wearable', 'oauth', 'device'],
  ['fitbit', 'Fitbit', 'wearable', 'oauth', 'device'],
  ['garmin', 'Garmin', 'wearable', 'oauth', 'device'],
  ['whoop', 'WHOOP', 'wearable', 'email', 'device'],
  ['strava', 'Strava', 'sport', 'oauth', 'app'],
  ['renpho', 'Renpho', 'scale', 'email', 'device'],
  ['peloton', 'Peloton', 'sport', 'password', 'device'],
  ['wahoo', 'Wahoo', 'sport', 'oauth', 'device'],
  ['zwift', 'Zwift', 'sport', 'password', 'app'],
  ['freestyle_libre', 'FreeStyle Libre', 'glucose', 'email', 'device'],
  ['abbott_libreview', 'Abbott LibreView', 'glucose', 'password', 'provider'],
  ['tandem_source', 'Tandem Source', 'glucose', 'password', 'device'],
  ['freestyle_libre_ble', 'FreeStyle Libre (Bluetooth)', 'glucose', 'sdk', 'ble'],
  ['eight_sleep', 'Eight Sleep', 'sleep', 'password', 'device'],
  ['withings', 'Withings', 'scale', 'oauth', 'device'],
  ['apple_health_kit', 'Apple HealthKit', 'phone', 'sdk', 'app'],
  ['manual', 'Manual', 'manual', 'app', 'app'],
  ['ihealth', 'iHealth', 'pressure', 'oauth', 'device'],
  ['google_fit', 'Google Fit', 'wearable', 'oauth', 'app'],
  ['beurer_api', 'Beurer', 'scale', 'email', 'device'],
  ['beurer_ble', 'Beurer (Bluetooth)', 'pressure', 'sdk', 'ble'],
  ['omron', 'Omron', 'pressure', 'team_oauth', 'device'],
  ['omron_ble', 'Omron (Bluetooth)', 'pressure', 'sdk', 'ble'],
  ['onetouch_ble', 'OneTouch (Bluetooth)', 'glucose', 'sdk', 'ble'],
  ['accuchek_ble', 'Accu-Chek (Bluetooth)', 'glucose', 'sdk', 'ble'],
  ['contour_ble', 'Contour (Bluetooth)', 'glucose', 'sdk', 'ble'],
  ['dexcom', 'Dexcom', 'glucose', 'oauth', 'device'],
  ['dexcom_v3', 'Dexcom (G6 and newer)', 'glucose', 'oauth', 'device'],
  ['hammerhead', 'Hammerhead', 'sport', 'oauth', 'device'],
  ['my_fitness_pal', 'MyFitnessPal (legacy)', 'food', 'password', 'app'],
  ['health_connect', 'Health Connect', 'phone', 'sdk', 'app'],
  ['samsung_health', 'Samsung Health', 'phone', 'sdk', 'app'],
  ['polar', 'Polar', 'wearable', 'oauth', 'device'],
  ['cronometer', 'Cronometer', 'food', 'oauth', 'app'],
  ['kardia', 'Kardia', 'heart', 'email', 'device'],
  ['whoop_v2', 'WHOOP (v2)', 'wearable', 'oauth', 'device'],
  ['ultrahuman', 'Ultrahuman', 'wearable', 'oauth', 'device'],
  ['my_fitness_pal_v2', 'MyFitnessPal', 'food', 'oauth', 'app'],
  ['map_my_fitness', 'MapMyFitness', 'sport', 'oauth', 'app'],
  ['runkeeper', 'Runkeeper', 'sport', null, 'app'],
  ['google_health', 'Google Health', 'wearable', 'oauth', 'app'],
  ['lab_report', 'Lab reports', 'lab', 'team_oauth', 'lab'],
]

/** The data providers that every team starts with (specification 2.7, 4.9). */
export const providers: readonly TeamProvider[] = providerRows.map(
  ([slug, name, kind, auth, source], index) => ({
    name,
    slug,
    description: `${name} data: ${kinds[kind].slice(0, 3).join(', ').replaceAll('_', ' ')} and more.`,
    logo: slug === 'manual' ? null : logo(name, index),
    auth_type: auth,
    supported_resources: [...kinds[kind]],
    source_type: source,
  }),
)

/** Returns a letter on a colored disc, as a data URI that needs no network. */
function logo(name: string, index: number): NonNullable<Provider['logo']> {
  const hue = (index * 137) % 360
  const disc = `<circle cx="16" cy="16" r="16" fill="hsl(${hue} 55% 45%)"/>`
  const letter = `<text x="16" y="22" font-family="sans-serif" font-size="18" fill="#fff" text-anchor="middle">${name[0]}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${disc}${letter}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
