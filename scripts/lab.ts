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
    about: 'Compares the size and load time of the package with limits',
    commands: ['node scripts/budgets/run.ts'],
  },
  coverage: {
    about: 'Runs the same tests as npm test and prints the line coverage',
    commands: ['vitest run --coverage'],
  },
  crashes: {
    about: 'Kills processes around orders.create and checks that each order exists once',
    commands: ['node bench/crashes/run.ts'],
  },
  day: {
    about: "Simulates a team's day with programs in two languages and one mock server",
    commands: ['node scripts/day/run.ts'],
  },
  evals: {
    about:
      'Grades correct and incorrect solutions of the coding-agent tasks, or the given solution',
    commands: ['node --import ./scripts/package-sources.ts evals/run.ts'],
  },
  executable: {
    about: 'Builds the command as a single executable file, and runs it without Node',
    commands: ['node --import ./scripts/package-sources.ts scripts/release/executable.ts'],
  },
  explore: {
    about: 'Explores each program in the corpus for 60 s, and replays each failure 100 times',
    commands: ['vitest run test/explore/corpus'],
    env: { LONG_TESTS: 'all', EXPLORE_SECONDS: '60', EXPLORE_REPLAYS: '100' },
  },
  fuzz: {
    about: 'Tests code with random input',
    commands: ['node scripts/fuzz/run.ts'],
  },
  harness: {
    about: 'Compares explore with a hand-written fast-check harness on the programs in the corpus',
    commands: ['node --import ./scripts/package-sources.ts scripts/explore/compare.ts'],
  },
  image: {
    about:
      "Runs the instructions of the mock's Dockerfile in a plain Debian file system, without Docker",
    commands: ['node scripts/release/image.ts'],
  },
  kills: {
    about: 'Kills processes around durable writes and checks that nothing is duplicated or missing',
    commands: ['node scripts/kills/run.ts'],
  },
  long: {
    about: 'Runs all tests in full, including those that npm test skips or samples',
    commands: ['vitest run'],
    env: { LONG_TESTS: 'all' },
  },
  'long-bounded': {
    about: 'Runs all tests, but only a third of each long list of cases',
    commands: ['vitest run'],
    env: { LONG_TESTS: 'bounded' },
  },
  mutants: {
    about: 'Introduces violations into the mock and prints which conformance cases fail',
    commands: ['node scripts/conformance/run-mutants.ts'],
  },
  mutation: {
    about: 'Creates mutants of the code with Stryker and counts those that tests detect',
    commands: ['node scripts/mutation/run.ts'],
  },
  package: {
    about: "Checks the package's entry points and type declarations",
    commands: [
      'publint --strict',
      'attw --pack --exclude-entrypoints ./mock/playwright ./mock/vitest',
      'attw --pack --entrypoints ./mock/playwright ./mock/vitest --profile esm-only',
    ],
    // Other steps may read the pages that `prepack` rewrites.
    env: { npm_config_ignore_scripts: 'true' },
  },
  pages: {
    about: 'Writes the generated reference pages and llms.txt',
    commands: ['node scripts/docs/write.ts'],
  },
  properties: {
    about: 'Runs the tests, or the given ones, with a new seed for the property tests',
    commands: ['vitest run'],
    env: { PROPERTY_SEED: process.env['PROPERTY_SEED'] ?? String(randomInt(2 ** 31)) },
  },
  prose: {
    about: 'Finds terms that scripts/terms.yml replaces, in all files or the given ones',
    commands: ['node scripts/lint-prose.ts'],
  },
  receivers: {
    about: 'Certifies incorrect and correct receivers in four languages',
    commands: ['node scripts/receivers/run.ts'],
  },
  runtimes: {
    about: 'Tests the packed package on every supported runtime, TypeScript version and bundler',
    commands: ['node scripts/runtimes/run.ts'],
  },
  screenshots: {
    about: 'Takes screenshots of the built site in light and dark mode, at phone and desktop sizes',
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
    about: 'Checks signatures and licences, and that two clones pack identical tarballs',
    commands: ['node scripts/release/supply-chain.ts'],
  },
  'sync-explore': {
    about:
      'Explores a program that uses every function of sync, for 10 minutes or the given number',
    commands: ['node --import ./scripts/package-sources.ts scripts/sync-proof/explore.ts'],
  },
  'sync-mutations': {
    about: 'Introduces bugs into sync, and checks that explore or certify detects each one',
    commands: ['node scripts/sync-proof/mutations.ts'],
  },
  'sync-proof': {
    about: 'Simulates users, kills sync receivers, and compares the tables with team.truth',
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

/** Runs a command with the arguments after the program's name. */
function succeeds(command: string, env: NodeJS.ProcessEnv = {}): boolean {
  const [file = '', ...fixed] = command.split(' ')
  return (
    spawnSync(file, [...fixed, ...words], { stdio: 'inherit', env: { ...process.env, ...env } })
      .status === 0
  )
}
