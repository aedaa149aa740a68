import {
  before,
  change,
  changeResponses,
  drop,
  type Json,
  type Mutant,
  storeWrongly,
} from '../mutant.ts'
import { aggregate, info, insurance, pages } from '../mutants/targets.ts'

type Cell = number | null

const ofAggregates = { rule: '4.11/json', only: ['4.11'] }

/** Changes the cells of tables, apart from those of `index`. */
function cells(name: string, edit: (cell: Cell, column: string) => Cell): Mutant {
  return {
    ...ofAggregates,
    name,
    between: changeResponses(aggregate, ({ results }) => {
      for (const { table } of results) {
        for (const [column, values] of Object.entries<Json[]>(table)) {
          if (column !== 'index') table[column] = values.map((cell) => edit(cell, column))
        }
      }
    }),
  }
}

const numbers = (edit: (value: number, column: string) => Cell) => (cell: Cell, column: string) =>
  typeof cell === 'number' ? edit(cell, column) : cell

/** Computes a column from the other functions of the same column, in the same groups. */
function computed(
  name: string,
  func: string,
  compute: (of: Record<string, number>) => Cell,
): Mutant {
  const all = ['min', 'max', 'mean', 'newest']
  return {
    ...ofAggregates,
    name,
    between:
      (fetch) =>
      async (input, init = {}) => {
        const response = await fetch(input, init)
        const isJson = /json/.test(response.headers.get('content-type') ?? '')
        if (
          !aggregate.test(`POST ${new URL(String(input)).pathname}`) ||
          !isJson ||
          response.status > 299
        )
          return response
        const [body, asked] = [await response.json(), JSON.parse(String(init.body))]
        const others = new Map<string, Json>()
        for (const other of all) {
          const queries = asked.queries.map((query: Json) => ({
            ...query,
            select: query.select
              .filter((item: Json) => item.func === func)
              .map((item: Json) => ({ ...item, func: other })),
          }))
          const usable = queries.every(({ select }: Json) => select.length > 0)
          if (!usable) return Response.json(body)
          const again = await fetch(input, { ...init, body: JSON.stringify({ ...asked, queries }) })
          others.set(other, (await again.json()).results)
        }
        for (const [at, { table }] of body.results.entries()) {
          table[func] = table[func]?.map((cell: Cell, row: number) => {
            const of = Object.fromEntries(
              all.map((other) => [other, others.get(other)[at].table[other]?.[row]]),
            )
            return cell === null ? null : compute(of)
          })
        }
        return Response.json(body)
      },
  }
}

const round = (places: number) => (value: number) => Math.round(value * 10 ** places) / 10 ** places

const aggregates: Mutant[] = [
  cells('rounds aggregates to whole numbers', numbers(round(0))),
  cells('rounds aggregates to one decimal', numbers(round(1))),
  cells('rounds aggregates down', numbers(Math.floor)),
  cells('rounds aggregates up', numbers(Math.ceil)),
  cells('cuts the decimals of aggregates', numbers(Math.trunc)),
  cells(
    'rounds min to whole numbers',
    numbers((value, column) => (column === 'min' ? Math.round(value) : value)),
  ),
  cells(
    'rounds newest to whole numbers',
    numbers((value, column) => (column === 'newest' ? Math.round(value) : value)),
  ),
  cells(
    'rounds max to one decimal',
    numbers((value, column) => (column === 'max' ? round(1)(value) : value)),
  ),
  cells('returns aggregates without their sign', numbers(Math.abs)),
  cells(
    'returns min without its sign',
    numbers((value, column) => (column === 'min' ? Math.abs(value) : value)),
  ),
  cells(
    'returns 0 for negative aggregates',
    numbers((value) => Math.max(0, value)),
  ),
  cells(
    'returns null for negative aggregates',
    numbers((value) => (value < 0 ? null : value)),
  ),
  cells(
    'returns null for aggregates that are 0',
    numbers((value) => (value === 0 ? null : value)),
  ),
  cells(
    'returns a negative 1 for aggregates that are 0',
    numbers((value) => (value === 0 ? -1 : value)),
  ),
  cells(
    'limits aggregates to 32,767',
    numbers((value) => Math.min(32_767, value)),
  ),
  cells(
    'limits aggregates to 65,535',
    numbers((value) => Math.min(65_535, value)),
  ),
  cells(
    'keeps three digits of aggregates',
    numbers((value) => Number(value.toPrecision(3))),
  ),
  cells(
    'keeps five digits of aggregates',
    numbers((value) => Number(value.toPrecision(5))),
  ),
  cells('rounds aggregates to hundredths', numbers(round(2))),
  cells(
    'returns tenths of small aggregates',
    numbers((value) => (Math.abs(value) < 1 ? value / 10 : value)),
  ),
  computed('computes max by absolute value', 'max', ({ min = 0, max = 0 }) =>
    Math.abs(min) > Math.abs(max) ? min : max,
  ),
  computed('computes min by absolute value', 'min', ({ min = 0, max = 0 }) =>
    Math.abs(min) > Math.abs(max) ? max : min,
  ),
  computed('computes mean from min and max', 'mean', ({ min = 0, max = 0 }) => (min + max) / 2),
  computed('computes mean of absolute values', 'mean', ({ mean = 0 }) => Math.abs(mean)),
  computed('returns the extreme as newest', 'newest', ({ max = 0 }) => max),
  computed('computes min of positive values only', 'min', ({ min = 0, max = 0 }) =>
    min < 0 ? max : min,
  ),
  computed('computes max as 0 when all values are negative', 'max', ({ max = 0 }) =>
    Math.max(0, max),
  ),
  computed('computes mean rounded to the newest', 'mean', ({ newest = 0 }) => newest),
]

const incomes: Record<string, (value: number) => Cell> = {
  'rounds to thousands': (value) => Math.round(value / 1000) * 1000,
  'rounds to hundreds': (value) => Math.round(value / 100) * 100,
  'limits to a million': (value) => Math.min(value, 1_000_000),
  'drops 0 as': (value) => (value === 0 ? null : value),
  'returns without a sign': Math.abs,
  'keeps 16 bits of': (value) => value & 0xffff,
}

const households = Object.entries(incomes).flatMap(([name, edit]): Mutant[] => [
  {
    rule: '2.2/guarantor',
    only: ['2.2', '4.1'],
    name: `${name} the household_income of a guarantor`,
    between: before(insurance, ({ body }) => change('guarantor.household_income', edit)(body)),
  },
  {
    rule: '2.1/medical-proxy',
    only: ['2.1', '4.2'],
    name: `${name} the household_income of a medical_proxy`,
    between: storeWrongly(info, 'medical_proxy.household_income', edit),
  },
])

const eachMarker = (edit: (marker: Json) => void) =>
  changeResponses(pages, ({ markers }) => markers.forEach(edit))

const catalogue: Mutant[] = [
  [
    'loses the units of expected results',
    eachMarker(({ expected_results }) => {
      for (const { loinc } of expected_results) if (loinc.unit) loinc.unit = ''
    }),
  ],
  [
    'returns the units of markers in lower case',
    eachMarker((marker) => {
      marker.unit &&= marker.unit.toLowerCase()
    }),
  ],
  [
    'returns an empty unit for none',
    eachMarker((marker) => {
      marker.unit ??= ''
    }),
  ],
  [
    'returns the unit of the marker for LOINC entries',
    eachMarker(({ unit, expected_results }) => {
      for (const { loinc } of expected_results) if (unit) loinc.unit = unit
    }),
  ],
  [
    'returns µ as u in units',
    eachMarker((marker) => {
      marker.unit &&= marker.unit.replace(/[µμ]/g, 'u')
    }),
  ],
  [
    'returns prices in cents',
    eachMarker((marker) => {
      marker.price = marker.price.replace('.', '')
    }),
  ],
  [
    'removes zeros from the end of prices',
    eachMarker((marker) => {
      marker.price = marker.price.replace(/0$/, '')
    }),
  ],
  [
    'returns prices without decimals',
    eachMarker((marker) => {
      marker.price = marker.price.replace(/\.\d+$/, '')
    }),
  ],
  [
    'loses descriptions beyond ASCII',
    eachMarker((marker) => {
      marker.description = marker.description.replace(/[^ -~]/g, '')
    }),
  ],
].map(
  ([name, between]): Mutant =>
    ({ rule: '2.5/marker', only: ['4.4', '4.5', '4.6'], name, between }) as Mutant,
)

const summary = /^GET \/v2\/summary\/profile\//
const heights = (
  [
    ['rounds the height of a profile to halves', (value: number) => Math.round(value * 2) / 2],
    ['returns the height of a profile in meters', (value: number) => value / 100],
    ['returns the height of a profile in inches', (value: number) => value / 2.54],
    ['rounds the height of a profile to one decimal', round(1)],
  ] as const
).map(
  ([name, edit]): Mutant => ({
    rule: '2.9/profile',
    only: ['2.9'],
    name,
    between: changeResponses(summary, (body) => change('height', edit)(body)),
  }),
)

const dropped: Mutant[] = ['household_size', 'household_income'].map((field) => ({
  rule: '2.2/guarantor',
  only: ['2.2', '4.1'],
  name: `drops the ${field} of a guarantor`,
  between: before(insurance, ({ body }) => drop(`guarantor.${field}`)(body)),
}))

/** Numbers that are rounded, lose their sign or unit, or come from the wrong value. */
export const quantities: Mutant[] = [
  ...aggregates,
  ...households,
  ...catalogue,
  ...heights,
  ...dropped,
]
