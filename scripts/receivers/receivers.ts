export interface ReceiverProgram {
  language: keyof typeof languages
  /** A framework, or a way to handle messages. */
  style: string
  /** The receiver's mistake; undefined for a correct receiver. */
  mistake?: string
}

/** The program in each language: the required tool, how to prepare it, and how to start it. */
export const languages = {
  TypeScript: { needs: 'node', command: (folder: string) => ['node', `${folder}/receiver.ts`] },
  Python: { needs: 'python3', command: (folder: string) => ['python3', `${folder}/receiver.py`] },
  Perl: { needs: 'perl', command: (folder: string) => ['perl', `${folder}/receiver.pl`] },
  Java: {
    needs: 'javac',
    prepare: (folder: string, target: string) => ['javac', '-d', target, `${folder}/Receiver.java`],
    command: (_: string, target: string) => ['java', '-cp', target, '-Xshare:auto', 'Receiver'],
  },
} as const

/** The mistakes for each language and style. Each style also has a correct receiver. */
const mistakes: Record<keyof typeof languages, Record<string, readonly string[]>> = {
  TypeScript: {
    node: [
      'day-of-the-end',
      'omits-the-source',
      'decodes-twice',
      'marks-before-handling',
      'checks-duplicates-in-two-steps',
    ],
    sdk: [],
    express: [
      'serializes-again',
      'accepts-100-kB',
      'stores-rejected-later',
      'rejects-unknown-types',
    ],
    fastify: [
      'deletes-at-connection-error',
      'drops-failed-jobs',
      'age-of-the-other-name',
      'first-signature',
    ],
    hono: ['day-of-the-start', 'starts-with', 'keeps-the-last-version', 'handles-duplicates-later'],
  },
  Python: {
    threads: [
      'compares-with-zip',
      'any-version',
      'truncates-decimals',
      'drops-zero',
      'day-as-key',
      'stores-ids-of-forgeries',
    ],
    slow: ['requires-is-final'],
    queue: ['accepts-the-future', 'day-in-new-york'],
  },
  Perl: {
    single: ['any-case', 'finds-anywhere', 'no-age', 'case-of-names', 'requires-records'],
    forks: ['age-of-one-name', 'first-record', 'omits-the-resource', 'ignores-unknown-updates'],
  },
  Java: {
    pool: [
      'needs-no-signature',
      'tolerates-ten-minutes',
      'compares-first-bytes',
      'dedupes-by-request-id',
      'rejects-duplicates',
      'requires-the-old-source',
    ],
    queue: ['stores-the-old-slug', 'rounds-zones-to-hours', 'keeps-the-first-version'],
  },
}

const programs = Object.entries(mistakes).flatMap(([name, styles]) =>
  Object.entries(styles).map(([style, of]) => ({
    program: { language: name as keyof typeof languages, style }, // a key of `mistakes`
    of,
  })),
)

export const correctReceivers: readonly ReceiverProgram[] = programs.map(({ program }) => program)

export const mistakenReceivers: readonly ReceiverProgram[] = programs.flatMap(({ program, of }) =>
  of.map((mistake) => ({ ...program, mistake })),
)
