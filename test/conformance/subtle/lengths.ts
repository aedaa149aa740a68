import { before, type Json, type Mutant, rejectCalls } from '../mutant.ts'
import { booking } from '../mutants/targets.ts'

const bytes = (text: string) => Buffer.byteLength(text, 'utf8')
const escaped = (text: string) => JSON.stringify(text).replace(/[^ -~]/g, '\\u0000').length - 2
const points = (text: string) => [...text].length
const graphemes = (text: string) => [...new Intl.Segmenter().segment(text)].length
const lines = (text: string) => text.replaceAll('\n', '\r\n').length

/** Measures the notes of a booking in another way; a shorter measure accepts notes that are too long. */
function measures(name: string, length: (notes: string) => number, assumes = false): Mutant {
  const notesOf = (body: Json): string => body.appointment_notes ?? ''
  return {
    rule: '8/notes',
    only: ['2.6', '4.8', '8'],
    name,
    assumes,
    between: (fetch, key) => {
      const rejecting = rejectCalls(booking, ({ body }) => length(notesOf(body)) > 1000)(fetch, key)
      const accepting = before(booking, ({ body }) => {
        // The mock would reject them for their real length.
        if (points(notesOf(body)) > 1000 && length(notesOf(body)) <= 1000)
          body.appointment_notes = 'Short'
      })
      return accepting(rejecting, key)
    },
  }
}

/** The length of notes, measured in other units or at another time (specification part 8). */
export const lengths: Mutant[] = [
  measures('counts notes in bytes', bytes),
  measures('counts notes in UTF-16 units', (text) => text.length, true),
  measures('counts notes in bytes of UTF-16', (text) => 2 * text.length),
  measures('counts notes in bytes of UTF-32', (text) => 4 * points(text)),
  measures('counts notes as escaped JSON', escaped),
  measures('counts notes as escaped HTML', (text) => text.replace(/[<>&"']/g, '&amp;').length),
  measures('counts notes as escaped for a URL', (text) => encodeURIComponent(text).length),
  measures('counts notes in letters that a reader sees', graphemes, true),
  measures('counts notes after trimming', (text) => points(text.trim())),
  measures('counts notes after trimming their end', (text) => points(text.trimEnd())),
  measures('counts notes after trimming their start', (text) => points(text.trimStart())),
  measures('counts notes after joining spaces', (text) => points(text.replace(/\s+/g, ' '))),
  measures('counts line breaks of notes twice', lines),
  measures('counts notes without their line breaks', (text) => points(text.replaceAll('\n', ''))),
  measures('counts notes after decomposing letters', (text) => points(text.normalize('NFD'))),
  measures('counts notes in words', (text) => text.split(' ').length),
]
