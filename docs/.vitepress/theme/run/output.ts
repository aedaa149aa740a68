import type { Report } from '../../run/messages.ts'

/** Empties and shows the output of a block. */
export function clearOutput(bar: HTMLElement): HTMLElement {
  const output = bar.parentElement?.querySelector<HTMLElement>('.run-output')
  if (!output) throw new Error('The bar has no output.')
  output.replaceChildren()
  output.hidden = false
  output.dataset['state'] = 'running'
  return output
}

/** Shows a program's report. Omits the output of earlier blocks, but shows their errors. */
export function showReport(output: HTMLElement, report: Report, place: number): void {
  if (report.kind === 'done') {
    output.dataset['state'] = 'done'
    if (!output.hasChildNodes()) output.append(line('run-quiet', 'The block printed nothing.'))
  } else if (report.kind === 'error') {
    const where = report.part < place ? 'An earlier block failed. ' : ''
    output.append(line('run-error', where + report.text))
  } else if (report.part === place) {
    output.append(line('run-line', report.text))
  }
}

function line(className: string, text: string): HTMLElement {
  const created = document.createElement('span')
  created.className = className
  created.textContent = `${text}\n`
  return created
}
