/** A real city, so addresses, locations and time zones are consistent. */
export interface Place {
  city: string
  /** The state's two-letter code. */
  state: string
  /** The first three digits of the city's ZIP codes. */
  zipPrefix: string
  lng: number
  lat: number
  /** An IANA time zone. */
  timeZone: string
}

type PlaceRow = [
  city: string,
  state: string,
  zipPrefix: string,
  lng: number,
  lat: number,
  timeZone: string,
]

const placeRows: PlaceRow[] = [
  ['Phoenix', 'AZ', '850', -112.07, 33.45, 'America/Phoenix'],
  ['Los Angeles', 'CA', '900', -118.24, 34.05, 'America/Los_Angeles'],
  ['San Francisco', 'CA', '941', -122.42, 37.77, 'America/Los_Angeles'],
  ['Denver', 'CO', '802', -104.99, 39.74, 'America/Denver'],
  ['Washington', 'DC', '200', -77.04, 38.91, 'America/New_York'],
  ['Miami', 'FL', '331', -80.19, 25.76, 'America/New_York'],
  ['Atlanta', 'GA', '303', -84.39, 33.75, 'America/New_York'],
  ['Honolulu', 'HI', '968', -157.86, 21.31, 'Pacific/Honolulu'],
  ['Boise', 'ID', '837', -116.2, 43.62, 'America/Boise'],
  ['Chicago', 'IL', '606', -87.63, 41.88, 'America/Chicago'],
  ['Indianapolis', 'IN', '462', -86.16, 39.77, 'America/Indiana/Indianapolis'],
  ['Louisville', 'KY', '402', -85.76, 38.25, 'America/Kentucky/Louisville'],
  ['New Orleans', 'LA', '701', -90.07, 29.95, 'America/Chicago'],
  ['Boston', 'MA', '021', -71.06, 42.36, 'America/New_York'],
  ['Detroit', 'MI', '482', -83.05, 42.33, 'America/Detroit'],
  ['Minneapolis', 'MN', '554', -93.27, 44.98, 'America/Chicago'],
  ['Charlotte', 'NC', '282', -80.84, 35.23, 'America/New_York'],
  ['Albuquerque', 'NM', '871', -106.65, 35.08, 'America/Denver'],
  ['Las Vegas', 'NV', '891', -115.14, 36.17, 'America/Los_Angeles'],
  ['New York', 'NY', '100', -74.01, 40.71, 'America/New_York'],
  ['Portland', 'OR', '972', -122.68, 45.52, 'America/Los_Angeles'],
  ['Philadelphia', 'PA', '191', -75.17, 39.95, 'America/New_York'],
  ['Nashville', 'TN', '372', -86.78, 36.16, 'America/Chicago'],
  ['Austin', 'TX', '787', -97.74, 30.27, 'America/Chicago'],
  ['Seattle', 'WA', '981', -122.33, 47.61, 'America/Los_Angeles'],
  ['Anchorage', 'AK', '995', -149.9, 61.22, 'America/Anchorage'],
]

export const places: readonly Place[] = placeRows.map(
  ([city, state, zipPrefix, lng, lat, timeZone]) => ({
    city,
    state,
    zipPrefix,
    lng,
    lat,
    timeZone,
  }),
)

export const states: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  DC: 'District of Columbia',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
}
