import assert from 'node:assert/strict'
import { styleText } from 'node:util'

/** How many checks held so far. */
let held = 0

/** Begins a part of the story. */
export function part(title: string): void {
  console.log(`\n${styleText('bold', title)}`)
}

/** One fact, with its label. */
export function fact(label: string, value: string | number): void {
  console.log(`  ${styleText('dim', label.padEnd(18))}${value}`)
}

/** Says what must hold, and ends the program if it does not. */
export function check(claim: string, holds: boolean): void {
  assert.ok(holds, `Expected: ${claim}`)
  held += 1
  console.log(`  ${styleText('green', '✓')} ${claim}`)
}

/** How far something is: one line that grows on a terminal, a line each where output goes to a file. */
export function progress(done: number, total: number, note: string): void {
  const line = `  ${bar(done / total, 30)} ${done.toLocaleString('en')} of ${total.toLocaleString('en')}${note}`
  if (!process.stdout.isTTY) console.log(line)
  else process.stdout.write(`\r${line}${done === total ? '\n' : ''}`)
}

/** A bar of a share from 0 to 1. */
function bar(share: number, width: number): string {
  const full = Math.round(share * width)
  return styleText('cyan', '█'.repeat(full)) + styleText('dim', '░'.repeat(width - full))
}

/** A bar from the least to the greatest value on an axis, with a mark at the mean. */
export function range(
  { min, mean, max }: { min: number; mean: number; max: number },
  { from, to }: { from: number; to: number },
  width = 40,
): string {
  const at = (value: number) => Math.round(((value - from) / (to - from)) * (width - 1))
  const cells = Array.from({ length: width }, (_, cell) => {
    if (cell === at(mean)) return '█'
    return cell >= at(min) && cell <= at(max) ? '▒' : '·'
  })
  return styleText('cyan', cells.join(''))
}

/** Rows below a head; columns are as wide as their widest cell, the last one as wide as it comes. */
export function table(head: string[], rows: string[][]): void {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: string[]) =>
    cells
      .map((cell, at) => (at < cells.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell))
      .join('  ')
  console.log(`  ${styleText('dim', line(head))}`)
  for (const row of rows) console.log(`  ${line(row)}`)
}

/** The closing line. */
export function close(): void {
  console.log(`\n${styleText(['bold', 'green'], `Every step checked out: ${held} checks held.`)}`)
}
