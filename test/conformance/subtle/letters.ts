import { before, change, type Json, type Mutant, storeWrongly } from '../mutant.ts'
import { booking, imports, info, insurance } from '../mutants/targets.ts'

type Rewrite = (text: string) => string

/** Ways in which a service damages text, after `a mock that`. */
const damages: Record<string, Rewrite> = {
  'reads UTF-8 as Latin-1': (text) => Buffer.from(text, 'utf8').toString('latin1'),
  'replaces letters beyond ASCII': (text) => text.replace(/[^ -~]/gu, '?'),
  'replaces letters beyond Latin-1': (text) => text.replace(/[^ -ÿ]/gu, '?'),
  trims: (text) => text.trim(),
  'trims the start of': (text) => text.trimStart(),
  'trims the end of': (text) => text.trimEnd(),
  'upper-cases': (text) => text.toUpperCase(),
  'lower-cases': (text) => text.toLowerCase(),
  'capitalizes the words of': (text) =>
    text.toLowerCase().replace(/(^|\s)\p{Letter}/gu, (letter) => letter.toUpperCase()),
  'removes emoji from': (text) => text.replace(/\p{Extended_Pictographic}/gu, ''),
  'cuts surrogate pairs in': (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
  'composes the letters of': (text) => text.normalize('NFC'),
  'decomposes the letters of': (text) => text.normalize('NFD'),
  'replaces ligatures in': (text) => text.normalize('NFKC'),
  'removes accents from': (text) => text.normalize('NFD').replace(/\p{Mn}/gu, ''),
  'joins spaces in': (text) => text.replace(/ {2,}/g, ' '),
  'escapes HTML in': (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  'straightens quotation marks in': (text) => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'"),
  'doubles apostrophes in': (text) => text.replaceAll("'", "''"),
  'removes backslashes from': (text) => text.replaceAll('\\', ''),
  'removes joiners from': (text) => text.replace(/\u200d/g, ''),
  'replaces long dashes in': (text) => text.replace(/[–—]/g, '-'),
}

const infoPaths = ['address.first_line', 'address.city', 'gender', 'address.second_line']
const insurancePaths = [
  'member_id',
  'group_id',
  'insured.address.first_line',
  'insured.address.access_notes',
  'guarantor.address.city',
]

const rewritten = (rewrite: Rewrite) => (value: Json) =>
  typeof value === 'string' ? rewrite(value) : value

const ofInfo = { rule: '4.2/response', only: ['2.1', '4.2'] }
const ofInsurance = { rule: '4.1/response', only: ['2.2', '4.1'] }
const ofImports = { rule: '2.4/fields', only: ['2.4', '4.3'] }
const ofNotes = { rule: '2.6/notes', only: ['2.6', '4.8', '8'] }

/** Each damage in a field of user info and in one of an insurance; the fields take turns. */
const damaged = Object.entries(damages).flatMap(([name, rewrite], at): Mutant[] => {
  const ofUser = infoPaths[at % infoPaths.length] ?? ''
  const insured = insurancePaths[at % insurancePaths.length] ?? ''
  return [
    {
      ...ofInfo,
      name: `${name} ${ofUser} of user info`,
      between: before(info, ({ body }) => change(ofUser, rewritten(rewrite))(body)),
    },
    {
      ...ofInsurance,
      name: `${name} ${insured} of an insurance`,
      between:
        at % 2 === 0
          ? before(insurance, ({ body }) => change(insured, rewritten(rewrite))(body))
          : storeWrongly(insurance, insured, rewritten(rewrite)),
    },
  ]
})

const digits: Rewrite = (text) => text.replace(/\D/g, '')
const tenDigits: Rewrite = (text) => digits(text).slice(-10)
const international: Rewrite = (text) => `+1${tenDigits(text)}`
const firstFive: Rewrite = (text) => text.slice(0, 5)
const capital: Rewrite = (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()

/** Damages of fields with a form of their own: what happens, and where. */
const special: readonly [string, Rewrite, readonly string[], readonly string[]][] = [
  ['keeps only the digits of', digits, ['phone_number'], ['insured.phone_number']],
  ['keeps ten digits of', tenDigits, ['medical_proxy.phone_number'], ['guarantor.phone_number']],
  ['rewrites in international form', international, ['phone_number'], ['insured.phone_number']],
  ['cuts ZIP+4 in', firstFive, ['address.zip_code'], ['insured.address.zip']],
  [
    'removes the hyphen from',
    (text) => text.replace('-', ''),
    ['address.zip_code'],
    ['guarantor.address.zip'],
  ],
  [
    'lower-cases',
    (text) => text.toLowerCase(),
    ['email', 'medical_proxy.email'],
    ['insured.email', 'guarantor.email'],
  ],
  [
    'capitalizes',
    capital,
    ['last_name', 'medical_proxy.last_name'],
    ['insured.last_name', 'guarantor.first_name'],
  ],
  ['upper-cases', (text) => text.toUpperCase(), ['first_name'], ['insured.last_name']],
  ['removes the tag from', (text) => text.replace(/\+[^@]*/, ''), ['email'], ['guarantor.email']],
  ['removes dots from', (text) => text.replace(/\.(?=.*@)/g, ''), ['email'], ['insured.email']],
  [
    'removes leading zeros from',
    (text) => text.replace(/^0+/, ''),
    ['address.zip_code'],
    ['member_id', 'group_id'],
  ],
]

const formed = special.flatMap(([name, rewrite, ofUser, insured]): Mutant[] => [
  ...ofUser.map((path) => ({
    ...ofInfo,
    name: `${name} the ${path} of user info`,
    between: storeWrongly(info, path, rewritten(rewrite)),
  })),
  ...insured.map((path) => ({
    ...ofInsurance,
    name: `${name} the ${path} of an insurance`,
    between: before(insurance, ({ body }) => change(path, rewritten(rewrite))(body)),
  })),
])

const eachConnection = (edit: (connection: Json) => void) =>
  before(imports, ({ body }) => {
    for (const connection of body.connections) edit(connection)
  })

const others: Mutant[] = [
  ...['reads UTF-8 as Latin-1', 'trims', 'lower-cases', 'removes emoji from'].map(
    (name): Mutant => ({
      ...ofImports,
      name: `${name} the provider_id of imported connections`,
      between: eachConnection(change('provider_id', rewritten(damages[name] ?? String))),
    }),
  ),
  {
    ...ofImports,
    name: 'upper-cases scopes of imported connections',
    between: eachConnection((one) => {
      one.oauth_scopes = one.oauth_scopes.map((scope: string) => scope.toUpperCase())
    }),
  },
  {
    ...ofImports,
    name: 'splits scopes of imported connections at colons',
    between: eachConnection((one) => {
      one.oauth_scopes = one.oauth_scopes.flatMap((scope: string) => scope.split(':'))
    }),
  },
  ...[
    'reads UTF-8 as Latin-1',
    'composes the letters of',
    'cuts surrogate pairs in',
    'joins spaces in',
    'removes joiners from',
    'straightens quotation marks in',
    'trims the start of',
  ].map(
    (name): Mutant => ({
      ...ofNotes,
      name: `${name} appointment_notes`,
      between: before(booking, ({ body }) =>
        change('appointment_notes', rewritten(damages[name] ?? String))(body),
      ),
    }),
  ),
]

/** Text that is stored with other letters than it was sent with. */
export const letters: Mutant[] = [...damaged, ...formed, ...others]
