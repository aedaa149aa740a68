/** A known value, or any other string, because the enumeration may grow. */
export type Open<Known extends string> = Known | (string & {})

/** Returns whether a value of an open enumeration is known to this version of the package. */
export function isKnown<const Known extends string>(
  known: readonly Known[],
  value: unknown,
): value is Known {
  return known.some((candidate) => candidate === value)
}

/** Known values of {@link UserInfo.race} (specification 2.1); the service may add more. */
export const races = [
  'african_american_or_black',
  'asian',
  'indigenous_native_american_alaska_native',
  'other',
  'pacific_islander_or_hawaiian',
  'white_caucasian',
] as const
/** One of {@link races}. */
export type Race = (typeof races)[number]

/** Known values of {@link UserInfo.ethnicity} (specification 2.1); the service may add more. */
export const ethnicities = ['hispanic', 'non_hispanic', 'ashkenazi_jewish', 'other'] as const
/** One of {@link ethnicities}. */
export type Ethnicity = (typeof ethnicities)[number]

/** Known values of {@link UserInfo.sexual_orientation} (specification 2.1); the service may add more. */
export const sexualOrientations = [
  'lesbian_gay_or_homosexual',
  'heterosexual_or_straight',
  'bisexual',
  'dont_know',
  'other',
] as const
/** One of {@link sexualOrientations}. */
export type SexualOrientation = (typeof sexualOrientations)[number]

/** Known values of {@link UserInfo.gender_identity} (specification 2.1); the service may add more. */
export const genderIdentities = [
  'male',
  'female',
  'female_to_male_ftm_transgender_male_trans_man',
  'male_to_female_mtf_transgender_female_trans_woman',
  'genderqueer',
  'other',
] as const
/** One of {@link genderIdentities}. */
export type GenderIdentity = (typeof genderIdentities)[number]

/** Known values of {@link Insurance.relationship} (specification 2.2); the service may add more. */
export const insuranceRelationships = ['Self', 'Spouse', 'Other'] as const
/** One of {@link insuranceRelationships}. */
export type InsuranceRelationship = (typeof insuranceRelationships)[number]

/**
 * The payor codes for which the service infers the regional plan from the patient's address (specification 4.1, closed
 * beta). MEDFED is the federal plan for the elderly, and MAIDFED is the federal plan for people with low incomes.
 */
export const inferredPayorCodes = ['MEDFED', 'MAIDFED'] as const

/** Known values of {@link Marker.type} (specification 2.5); the service may add more. */
export const markerTypes = ['biomarker', 'panel'] as const
/** One of {@link markerTypes}. */
export type MarkerType = (typeof markerTypes)[number]

/** Known values of {@link Appointment.type} (specification 2.6); the service may add more. */
export const appointmentTypes = ['phlebotomy', 'patient_service_center'] as const
/** One of {@link appointmentTypes}. */
export type AppointmentType = (typeof appointmentTypes)[number]

/** Known values of {@link Appointment.provider}, assumed for specification 2.6; the service may add more. */
export const appointmentProviders = ['getlabs', 'phlebfinders', 'quest', 'sonora_quest'] as const
/** One of {@link appointmentProviders}. */
export type AppointmentProvider = (typeof appointmentProviders)[number]

/** Known values of {@link Appointment.status} (specification 3.1); the service may add more. */
export const appointmentStatuses = [
  'confirmed',
  'pending',
  'reserved',
  'in_progress',
  'completed',
  'cancelled',
] as const
/** One of {@link appointmentStatuses}. */
export type AppointmentStatus = (typeof appointmentStatuses)[number]

/** Known values of {@link Appointment.event_status} (specification 3.1); the service may add more. */
export const appointmentEventStatuses = [
  'pending',
  'reserved',
  'scheduled',
  'completed',
  'cancelled',
  'in_progress',
] as const
/** One of {@link appointmentEventStatuses}. */
export type AppointmentEventStatus = (typeof appointmentEventStatuses)[number]

/** Known values of {@link Provider.auth_type} (specification 2.7); the service may add more. */
export const providerAuthTypes = ['oauth', 'team_oauth', 'sdk', 'password', 'email', 'app'] as const
/** One of {@link providerAuthTypes}. */
export type ProviderAuthType = (typeof providerAuthTypes)[number]

/** Known values of {@link BulkOp.status}, assumed; the service may add more. */
export const bulkOpStatuses = ['in_progress', 'success', 'failure', 'aborted'] as const
/** One of {@link bulkOpStatuses}. */
export type BulkOpStatus = (typeof bulkOpStatuses)[number]

/** Known values of {@link Source.type}, assumed for specification part 6; the service may add more. */
export const sourceTypes = [
  'unknown',
  'phone',
  'watch',
  'app',
  'multiple_sources',
  'fingerprick',
  'cuff',
  'manual_scan',
  'automatic',
  'scale',
  'chest_strap',
  'ring',
  'lab',
] as const
/** One of {@link sourceTypes}. */
export type SourceType = (typeof sourceTypes)[number]

/** Known time units (`minute` from specification 2.10, others assumed); the service may add more. */
export const timeUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
/** One of {@link timeUnits}. */
export type TimeUnit = (typeof timeUnits)[number]

/** Known aggregation functions (some from the specification, others assumed); the service may add more. */
export const aggregationFunctions = [
  'mean',
  'min',
  'max',
  'sum',
  'count',
  'median',
  'stddev',
  'oldest',
  'newest',
] as const
/** One of {@link aggregationFunctions}. */
export type AggregationFunction = (typeof aggregationFunctions)[number]

/** The resources that have summaries (specification 2.9). */
export const summaryResources = [
  'activity',
  'body',
  'meal',
  'profile',
  'sleep',
  'workouts',
] as const
/** One of {@link summaryResources}. */
export type SummaryResource = (typeof summaryResources)[number]
