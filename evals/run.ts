/** Judges solutions of the tasks, or those named after it. `grade book-visit solution.ts` judges a file, `samples` prints all tasks. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { blocksOf } from '../docs/.vitepress/code/blocks.ts'
import { graders } from './graders.ts'
import { mistakes } from './wrong.ts'

/** The number of wrong solutions that may be accepted. */
const allowed = 3

/** A solution to judge. */
interface Solution {
  task: string
  /** The mistake in it; undefined for a right one. */
  what: string | undefined
  code: string
}

/** How a solution is judged: `accepted`, or the judge that rejects it with its reason. */
interface Verdict extends Solution {
  by: 'accepted' | 'types' | 'lint' | 'grader'
  reason: string
}

/** A task in a form that runners read line by line, such as `json_dataset` of Inspect. */
interface Sample {
  id: string
  input: string
  target: string
  metadata: { exports: string; grade: string }
}

const samples: Sample[] = globSync('evals/tasks/*.md')
  .toSorted()
  .map((file) => {
    const [text = '', solution = ''] = readFileSync(file, 'utf8').split('\n## Solution\n')
    const id = basename(file, '.md')
    const [signature = ''] = /export (?:async )?function [\s\S]*?(?= \{\n)/.exec(solution) ?? []
    const rules = 'Write one TypeScript module for health-lab-sdk, without any, casts and timers.'
    return {
      id,
      input: `${text.split('\n').slice(2).join('\n').trim()}\n\n${rules} Its function:\n\n${signature}`,
      target: blocksOf(solution)[0]?.code ?? '',
      metadata: {
        exports: graders[id]?.exports ?? '',
        grade: `npm run --silent lab evals -- grade ${id} <file>`,
      },
    }
  })

/** The right solution of each task, and those with a mistake. */
const solutions: readonly Solution[] = samples.flatMap(({ id: task, target }) => [
  { task, what: undefined, code: target },
  ...(mistakes[task] ?? []).map(({ what, from, to, before }) => {
    if (!target.includes(from)) throw new Error(`The solution of ${task} has no ${from}.`)
    const changed = target.replace(from, () => to)
    return { task, what, code: before ? `${before}\n${changed}` : changed }
  }),
])

/** Judges solutions, with the types first: a solution that does not compile is not run. */
async function judge(given: readonly Solution[]): Promise<Verdict[]> {
  mkdirSync('scratch', { recursive: true })
  const folder = mkdtempSync('scratch/evals-')
  try {
    const files = given.map(({ task, code }, index) => {
      const file = resolve(folder, `${task}-${index}.ts`)
      writeFileSync(file, code)
      return file
    })
    const problems = typeProblems(files)
    const verdicts: Verdict[] = []
    for (const [index, solution] of given.entries()) {
      const file = files[index] ?? ''
      verdicts.push({ ...solution, ...(await verdictOn(solution, file, problems.get(file))) })
    }
    return verdicts
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function verdictOn(
  { task, code }: Solution,
  file: string,
  problem: string | undefined,
): Promise<Pick<Verdict, 'by' | 'reason'>> {
  if (problem) return { by: 'types', reason: problem }
  const [rule] = lintRules.filter(({ pattern }) => pattern.test(code))
  if (rule) return { by: 'lint', reason: rule.reason }
  const grader = graders[task]
  if (!grader) throw new Error(`Unknown task ${task}.`)
  try {
    const module = await import(pathToFileURL(file).href)
    await grader.grade(module[grader.exports])
    return { by: 'accepted', reason: '' }
  } catch (error) {
    return { by: 'grader', reason: error instanceof Error ? error.message : String(error) }
  }
}

const lintRules = [
  { pattern: /: any\b|<any>|@ts-/, reason: 'switches the types off' },
  { pattern: /\bas (?!const\b)[A-Za-z]/, reason: 'has a cast' },
  { pattern: /\bset(?:Timeout|Interval)\(/, reason: 'waits in real time' },
]

/** Returns the first problem of the compiler for each file that has one. */
function typeProblems(files: readonly string[]): Map<string, string> {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, process.cwd())
  const program = ts.createProgram(files, options)
  const problems = new Map<string, string>()
  for (const file of files) {
    const [problem] = ts.getPreEmitDiagnostics(program, program.getSourceFile(file))
    if (problem) problems.set(file, ts.flattenDiagnosticMessageText(problem.messageText, '\n'))
  }
  return problems
}

/** Returns how many solutions of each task are judged right. */
function tableOf(verdicts: readonly Verdict[]): string {
  const row = (name: string, of: readonly Verdict[]) => {
    const count = (by: Verdict['by'], isWrong: boolean) =>
      of.filter((verdict) => verdict.by === by && (verdict.what !== undefined) === isWrong).length
    const right = of.filter(({ what }) => what === undefined).length
    const by = (['types', 'lint', 'grader'] as const).map((judge) => count(judge, true))
    const rejected = by.reduce((sum, each) => sum + each, 0)
    const cells = [`${count('accepted', false)} of ${right}`, `${rejected} of ${of.length - right}`]
    return `| ${[name, ...cells, ...by].join(' | ')} |`
  }
  const tasks = [...new Set(verdicts.map(({ task }) => task))]
  return [
    '| Task | Right, accepted | Wrong, rejected | by types | by lint | by grader |',
    '|---|---|---|---|---|---|',
    ...tasks.map((name) =>
      row(
        name,
        verdicts.filter(({ task }) => task === name),
      ),
    ),
    row('All', verdicts),
  ].join('\n')
}

async function main(words: string[]): Promise<boolean> {
  const [command, task = '', file = ''] = words
  if (command === 'samples') {
    for (const sample of samples) console.log(JSON.stringify(sample))
    return true
  }
  if (command === 'grade') {
    const code = readFileSync(file, 'utf8')
    const [verdict] = await judge([{ task, what: undefined, code }])
    console.log(verdict?.by, verdict?.reason)
    return verdict?.by === 'accepted'
  }
  const verdicts = await judge(
    solutions.filter(({ task }) => words.length === 0 || words.includes(task)),
  )
  const misjudged = verdicts.filter(({ what, by }) => (what === undefined) !== (by === 'accepted'))
  for (const { task, what = 'a right solution', by, reason } of misjudged) {
    console.log(`${task}: ${what}: ${by} ${reason}`)
  }
  console.log(tableOf(verdicts))
  const isRightRejected = misjudged.some(({ what }) => what === undefined)
  return !isRightRejected && misjudged.length <= allowed
}

if (import.meta.main) process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1
