/** The rows of the page "Assumptions" by anchor, each with the exports or members that rest on it. */
export const assumptions: Record<string, readonly string[]> = {
  'rules-of-the-name-validation': ['isLabName'],
  'further-address-fields-and-their-limits': ['InsuranceAddress', 'InsuranceAddressInput'],
  'states-and-list-of-bulk-operations': ['BulkOp', 'BulkOpPage', 'BulkOpQuery', 'bulkOpStatuses'],
  'slugs-of-providers': ['bulkImportProviders', 'connectionProviders'],
  'on-device-platforms': ['DeletedConnection'],
  'unit-of-expires_at': ['ConnectionRecipe'],
  'values-of-source_type': ['sourceTypes'],
  'names-of-the-marker-filters': ['MarkerQuery', 'listMarkers'],
  'order-sets': ['OrderSetAddOn'],
  'paging-of-order-set-markers': ['listOrderSetMarkers'],
  'types-of-markers-and-prices': ['Marker', 'ExpectedResult'],
  'list-of-lab-tests': ['LabTest', 'LabTestQuery', 'LabTestsApi'],
  orders: [
    ...['Order', 'OrderInput', 'CreatedOrder', 'OrderResult', 'PatientAddress', 'PatientDetails'],
    'OrdersApi',
  ],
  'life-of-an-order': ['OrderStep'],
  'idempotency-keys': ['idempotencyKeyOf', 'idempotencyKeys'],
  'slugs-of-appointment-providers': ['appointmentProviders'],
  'transitions-and-how-status-relates-to-event_status': ['AppointmentEvent'],
  'booking-keys': ['BookingInput'],
  'units-and-functions': ['aggregationFunctions', 'timeUnits', 'Duration'],
  'resources-and-columns': ['aggregateColumns', 'timeseriesColumns', 'ColumnGroup'],
  'grammar-of-where': ['Query', 'BuiltQuery', 'QueryBuilder'],
  'columns-that-use-the-same-function': ['query'],
  'time-series-columns': ['AggregationItem', 'DateTruncGroup'],
  'source-columns': ['column'],
  'group-keys': ['GroupKeyItem', 'groupKey'],
  'several-sources-in-one-group': ['QueryConfig'],
  'times-of-creation-and-change': ['created_at', 'updated_at'],
  'fields-of-summary-records': [
    ...['ActivityHeartRate', 'ActivitySummary', 'BodySummary', 'MealEnergy', 'MealFats'],
    ...['MealMacros', 'MealMicros', 'MealSummary', 'SleepSummary', 'Sport', 'Summary'],
    'WorkoutSummary',
  ],
  summaries: [
    ...['SummariesApi', 'SummaryQuery', 'ProfileQuery', 'SummaryResponses', 'ProfileSummary'],
  ],
  'further-types-of-events': [
    ...['ConnectionErrorEvent', 'CriticalResultEvent', 'DeviceEvent', 'LabAppointmentEvent'],
    ...['LabOrderEvent', 'OtherEvent', 'otherEventTypes'],
  ],
  'historical-events': ['historicalEvents'],
  'summaries-in-events': ['summaryEvents'],
  'envelope-of-events': ['eventEnvelope'],
  'shape-of-resource_availability': ['ResourceAvailability'],
}

/** Modules whose comments explain assumptions instead of resting on them. */
export const explaining: readonly string[] = ['conformance', 'certify', 'mock/conformance']
