import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judge, prepare } from './judge.ts'
import {
  correctReceivers,
  type languages,
  mistakenReceivers,
  type ReceiverProgram,
} from './receivers.ts'

/**
 * Certifies incorrect and correct receivers in several languages: `npm run lab receivers`, or `npm run lab receivers --
 * --correct --runs 10 --busy` for the correct ones on a busy machine. Exits with 1 when a mistake is not found, or a
 * correct receiver fails.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1' },
    busy: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    correct: { type: 'boolean', default: false },
  },
})

const target = mkdtempSync(join(tmpdir(), 'receivers-'))
const missing = new Set<string>()
for (const language of [
  'TypeScript',
  'Python',
  'Perl',
  'Java',
] satisfies (keyof typeof languages)[]) {
  const reason = prepare(language, target)
  if (reason === undefined) continue
  missing.add(language)
  console.error(`${language} is skipped: ${reason}.`)
}
const isSelected = ({ language, style, mistake = 'correct' }: ReceiverProgram) =>
  !missing.has(language) && `${language} ${style} ${mistake}`.includes(values.only)

let wrong = 0
const startedAt = performance.now()
const load: ChildProcess[] = values.busy
  ? Array.from({ length: availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for(;;);']),
    )
  : []
try {
  if (!values.correct) await inEachLanguage(mistakenReceivers, judgeMistaken)
  for (let run = 1; run <= Number(values.runs); run += 1) {
    await inEachLanguage(correctReceivers, (receiver) => judgeCorrect(receiver, run))
  }
} finally {
  for (const child of load) child.kill('SIGKILL')
  rmSync(target, { recursive: true })
}
console.log(`${wrong} wrong, ${Math.round((performance.now() - startedAt) / 1000)} s`)
process.exitCode = wrong === 0 ? 0 : 1

/** Judges the receivers of different languages concurrently, and the receivers of one language one at a time. */
async function inEachLanguage(
  receivers: readonly ReceiverProgram[],
  judgeOne: (receiver: ReceiverProgram) => Promise<void>,
): Promise<void> {
  const groups = Map.groupBy(receivers.filter(isSelected), ({ language }) => language)
  const judging = [...groups.values()].map(async (group) => {
    for (const receiver of group) await judgeOne(receiver)
  })
  await Promise.all(judging)
}

async function judgeMistaken(receiver: ReceiverProgram): Promise<void> {
  const { results } = await judge(receiver, target)
  const found = results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
  if (found.length === 0) wrong += 1
  print(receiver, found.length === 0 ? 'NOT FOUND' : `found by ${summarize(found)}`)
}

async function judgeCorrect(receiver: ReceiverProgram, run: number): Promise<void> {
  const { results, passed, skipped } = await judge(receiver, target)
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  if (failed.length > 0) wrong += 1
  const reasons = failed.map(({ id, reason }) => `${id}: ${reason}`)
  const counts = `${passed} passed, ${skipped} skipped`
  print(receiver, failed.length === 0 ? `run ${run}: ${counts}` : `FAILED ${reasons.join('; ')}`)
}

function summarize(ids: readonly string[]): string {
  const others = ids.length - 3
  return ids.slice(0, 3).join(', ') + (others > 0 ? ` and ${others} more` : '')
}

function print({ language, style, mistake = 'correct' }: ReceiverProgram, result: string): void {
  console.log(`${language.padEnd(11)} ${style.padEnd(8)} ${mistake.padEnd(31)} ${result}`)
}
