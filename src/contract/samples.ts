/**
 * A sample of a time series, an item of `data.data` in its events (fields assumed). Each field may be missing or null, and
 * the client does not check them; `sampleForms` lists the units.
 */
export interface Sample {
  /** @deprecated The service sends it for compatibility. Use the time and the source of the sample. */
  id?: number | null | undefined
  /** The time of the sample, ISO 8601 in UTC; of an interval its start. */
  timestamp?: string | null | undefined
  /** The start of an interval, ISO 8601 in UTC; absent for a point in time. */
  start?: string | null | undefined
  /** The end of an interval, ISO 8601 in UTC; absent for a point in time. */
  end?: string | null | undefined
  /** The user's time zone, in seconds east of UTC; null if the provider does not send it. */
  timezone_offset?: number | null | undefined
  /** How the value was measured, or its kind; null for most resources. */
  type?: string | null | undefined
  /** The unit of the values, such as `bpm`. */
  unit?: string | null | undefined
  /** The value. Blood pressure has {@link BloodPressureSample} instead, and notes have {@link NoteSample}. */
  value?: unknown
  /** Further fields; the specification does not name them. */
  [field: string]: unknown
}

/** A sample with a number (fields assumed). */
export interface NumberSample extends Sample {
  /** The value, in `unit`. */
  value?: number | null | undefined
}

/** A blood pressure: two values in place of `value` (fields assumed). */
export interface BloodPressureSample extends Sample {
  /** The pressure while the heart beats, in `unit`. */
  systolic?: number | null | undefined
  /** The pressure between two beats, in `unit`. */
  diastolic?: number | null | undefined
}

/** A note of the user (fields assumed). */
export interface NoteSample extends Sample {
  /** The string of the note. */
  value?: string | null | undefined
  /** Labels such as `meal`. */
  tags?: string[] | null | undefined
}

/** An injection of insulin (fields assumed). */
export interface InsulinInjectionSample extends NumberSample {
  /** The kind of insulin, such as `rapid_acting` or `long_acting`. */
  type?: string | null | undefined
  /** How it was delivered, such as `bolus` or `basal`. */
  delivery_mode?: string | null | undefined
  /** The form of delivery, such as `standard` or `extended`. */
  delivery_form?: string | null | undefined
  /** What a bolus is for, such as `food`. */
  bolus_purpose?: string | null | undefined
}

/** A temperature of the body, or a change of it (fields assumed). */
export interface TemperatureSample extends NumberSample {
  /** Where the sensor is, such as `finger`. */
  sensor_location?: string | null | undefined
}

/** The duration of a workout (fields assumed). */
export interface WorkoutDurationSample extends NumberSample {
  /** Such as `low`, `medium` or `high`. */
  intensity?: string | null | undefined
}
