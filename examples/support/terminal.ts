import assert from 'node:assert/strict'
import { styleText } from 'node:util'

let passed = 0

export function part(title: string): void {
  console.log(`\n${styleText('bold', title)}`)
}

/** Prints a value with its label. */
export function fact(label: string, value: string | number): void {
  console.log(`  ${styleText('dim', label.padEnd(18))}${value}`)
}

/** Checks that a claim is true, and prints it. */
export function check(claim: string, holds: boolean): void {
  assert.ok(holds, `Expected: ${claim}`)
  passed += 1
  console.log(`  ${styleText('green', '✓')} ${claim}`)
}

/** Prints progress. On a terminal, updates a single line; otherwise, prints a new line each time. */
export function progress(done: number, total: number, note: string): void {
  const line = `  ${bar(done / total, 30)} ${done.toLocaleString('en')} of ${total.toLocaleString('en')}${note}`
  if (!process.stdout.isTTY) console.log(line)
  else process.stdout.write(`\r${line}${done === total ? '\n' : ''}`)
}

/** Draws a bar for a fraction from 0 to 1. */
function bar(share: number, width: number): string {
  const full = Math.round(share * width)
  return styleText('cyan', '█'.repeat(full)) + styleText('dim', '░'.repeat(width - full))
}

/** Draws a bar from the minimum to the maximum on an axis, with a mark at the mean. */
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

/** Prints rows below a header. Each column is as wide as its widest cell. */
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

/** Prints the number of checks that passed. */
export function printSummary(): void {
  console.log(`\n${styleText(['bold', 'green'], `All ${passed} checks passed.`)}`)
}
