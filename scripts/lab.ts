import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

/** A program that runs with `npm run lab`, such as `npm run lab fuzz where -- --runs 100000`. */
interface Program {
  /** A description in one sentence. */
  about: string
  commands: string[]
  env?: Record<string, string>
}

/** The programs, keyed by the name after `npm run lab`. */
const programs: Record<string, Program> = {
  budgets: {
    about: 'Checks the size of the package and its load time against limits',
    commands: ['node scripts/budgets/run.ts'],
  },
  coverage: {
    about: 'Runs all tests and prints the line coverage, for information',
    commands: ['vitest run --coverage'],
  },
  crashes: {
    about: 'Kills processes around orders.create and checks that each order exists once',
    commands: ['node bench/crashes/run.ts'],
  },
  day: {
    about: 'Plays a day of a team against one mock server',
    commands: ['node scripts/day/run.ts'],
  },
  evals: {
    about: 'Judges right and wrong solutions of the tasks for coding agents, or one of yours',
    commands: ['node --import ./scripts/package-sources.ts evals/run.ts'],
  },
  executable: {
    about: 'Makes the command one executable file, and runs it without Node',
    commands: ['node --import ./scripts/package-sources.ts scripts/release/executable.ts'],
  },
  explore: {
    about: 'Explores the corpus of programs for 60 s each, and replays each failure 100 times',
    commands: ['vitest run test/explore/corpus'],
    env: { LONG_TESTS: 'all', EXPLORE_SECONDS: '60', EXPLORE_REPLAYS: '100' },
  },
  fuzz: {
    about: 'Runs parsers with random input',
    commands: ['node scripts/fuzz/run.ts'],
  },
  harness: {
    about: 'Compares explore with a hand-written harness of fast-check on programs of the corpus',
    commands: ['node --import ./scripts/package-sources.ts scripts/explore/compare.ts'],
  },
  image: {
    about: 'Runs the Dockerfile of the mock in a plain Debian, without Docker',
    commands: ['node scripts/release/image.ts'],
  },
  kills: {
    about:
      'Kills processes around durable writes and checks that nothing exists twice or is missing',
    commands: ['node scripts/kills/run.ts'],
  },
  long: {
    about: 'Runs the tests that npm test skips or samples',
    commands: ['vitest run'],
    env: { LONG_TESTS: 'all' },
  },
  'long-bounded': {
    about: 'Runs the same tests, with a third of each long list',
    commands: ['vitest run'],
    env: { LONG_TESTS: 'bounded' },
  },
  mutants: {
    about: 'Introduces violations into the mock and prints which conformance cases fail',
    commands: ['node scripts/conformance/run-mutants.ts'],
  },
  mutation: {
    about: 'Changes the code with Stryker and counts the changes that tests detect',
    commands: ['node scripts/mutation/run.ts'],
  },
  package: {
    about: 'Checks the entry points and the declarations of the package',
    commands: [
      'publint --strict',
      'attw --pack --exclude-entrypoints ./mock/playwright ./mock/vitest',
      'attw --pack --entrypoints ./mock/playwright ./mock/vitest --profile esm-only',
    ],
    // Other steps may read the pages that `prepack` rewrites.
    env: { npm_config_ignore_scripts: 'true' },
  },
  pages: {
    about: 'Writes the pages that are generated from the contract',
    commands: ['node scripts/docs/write.ts'],
  },
  properties: {
    about: 'Runs the tests, or those named after it, with a new seed for the property tests',
    commands: ['vitest run'],
    env: { PROPERTY_SEED: process.env['PROPERTY_SEED'] ?? String(randomInt(2 ** 31)) },
  },
  prose: {
    about: 'Finds the terms that scripts/terms.yml replaces, in all pages or in one',
    commands: ['node scripts/lint-prose.ts'],
  },
  receivers: {
    about: 'Certifies mistaken and correct receivers in four languages',
    commands: ['node scripts/receivers/run.ts'],
  },
  runtimes: {
    about: 'Tests the packed package on every supported runtime, TypeScript version and bundler',
    commands: ['node scripts/runtimes/run.ts'],
  },
  screenshots: {
    about: 'Takes pictures of pages, light and dark, on a phone and a desktop',
    commands: ['node scripts/docs/screenshots.ts'],
  },
  size: {
    about: 'Counts files, lines and repeated names in src and mock',
    commands: ['node scripts/size.ts'],
  },
  soak: {
    about: 'Makes a million calls with faults and compares the outcomes with the state of the mock',
    commands: ['node --expose-gc bench/soak/run.ts'],
  },
  'supply-chain': {
    about: 'Checks signatures and licences, and that two clones pack equal tarballs',
    commands: ['node scripts/release/supply-chain.ts'],
  },
  'sync-explore': {
    about: 'Explores a program that uses every function of sync, for 10 minutes or those given',
    commands: ['node --import ./scripts/package-sources.ts scripts/sync-proof/explore.ts'],
  },
  'sync-mutations': {
    about: 'Plants bugs in sync, and checks that explore or certify notices each',
    commands: ['node scripts/sync-proof/mutations.ts'],
  },
  'sync-proof': {
    about: 'Kills receivers of sync while users live, and compares the tables with team.truth',
    commands: ['node scripts/sync-proof/run.ts'],
  },
}

const [name = '', ...words] = process.argv.slice(2)
const program = Object.hasOwn(programs, name) ? programs[name] : undefined
if (program) {
  process.exitCode = program.commands.some((command) => !succeeds(command, program.env)) ? 1 : 0
} else {
  console.error('Usage: npm run lab <name> -- <options>\n')
  for (const [each, { about }] of Object.entries(programs)) {
    console.error(`  ${each.padEnd(14)} ${about}`)
  }
  process.exitCode = 1
}

/** Passes the words after the program's name to the command. */
function succeeds(command: string, env: NodeJS.ProcessEnv = {}): boolean {
  const [file = '', ...fixed] = command.split(' ')
  return (
    spawnSync(file, [...fixed, ...words], { stdio: 'inherit', env: { ...process.env, ...env } })
      .status === 0
  )
}
