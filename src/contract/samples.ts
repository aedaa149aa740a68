/**
 * A time series sample: an item of `data.data` in an event (fields assumed). Any field may be missing or null; fields
 * are not validated. `sampleForms` lists the units.
 */
export interface Sample {
  /** @deprecated Sent only for compatibility. Identify a sample by its time and source. */
  id?: number | null | undefined
  /** The time of the sample or the start of its interval, in UTC (ISO 8601). */
  timestamp?: string | null | undefined
  /** The start of an interval, in UTC (ISO 8601); absent for a point in time. */
  start?: string | null | undefined
  /** The end of an interval, in UTC (ISO 8601); absent for a point in time. */
  end?: string | null | undefined
  /** The user's time zone offset, in seconds east of UTC; null if the provider sends none. */
  timezone_offset?: number | null | undefined
  /** The kind of value or the measurement method; null for most resources. */
  type?: string | null | undefined
  /** The unit of the values, such as `bpm`. */
  unit?: string | null | undefined
  /** The value. See {@link BloodPressureSample} for blood pressure and {@link NoteSample} for notes. */
  value?: unknown
  /** Additional, unspecified fields. */
  [field: string]: unknown
}

/** A sample with a numeric value (fields assumed). */
export interface NumberSample extends Sample {
  /** The value, in `unit`. */
  value?: number | null | undefined
}

/** A blood pressure reading, with two values in place of `value` (fields assumed). */
export interface BloodPressureSample extends Sample {
  /** The pressure while the heart contracts, in `unit`. */
  systolic?: number | null | undefined
  /** The pressure between heartbeats, in `unit`. */
  diastolic?: number | null | undefined
}

/** A note from the user (fields assumed). */
export interface NoteSample extends Sample {
  /** The note itself. */
  value?: string | null | undefined
  /** Labels such as `meal`. */
  tags?: string[] | null | undefined
}

/** An insulin injection (fields assumed). */
export interface InsulinInjectionSample extends NumberSample {
  /** The kind of insulin, such as `rapid_acting` or `long_acting`. */
  type?: string | null | undefined
  /** How the insulin was delivered, such as `bolus` or `basal`. */
  delivery_mode?: string | null | undefined
  /** The form of delivery, such as `standard` or `extended`. */
  delivery_form?: string | null | undefined
  /** The purpose of a bolus, such as `food`. */
  bolus_purpose?: string | null | undefined
}

/** A body temperature or temperature change (fields assumed). */
export interface TemperatureSample extends NumberSample {
  /** The sensor's location, such as `finger`. */
  sensor_location?: string | null | undefined
}

/** A workout's duration (fields assumed). */
export interface WorkoutDurationSample extends NumberSample {
  /** The intensity, such as `low`, `medium` or `high`. */
  intensity?: string | null | undefined
}
