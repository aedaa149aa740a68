import { existsSync, readFileSync } from 'node:fs'

/** A line of the worker's file: an order that it is about to create, or the id of a created one. */
export interface WorkerLine {
  /** The worker's own id of the order. */
  own: string
  /** The service's id; absent before the order is created. */
  id?: string
}

/** Where the worker sends orders. */
export interface WorkerTask {
  baseUrl: string
  apiKey: string
  labTest: string
  /** The file that outlives the worker. */
  file: string
  /** The worker ends after this order. */
  last: number
}

/** Returns the lines of a worker's file. */
export function readLines(file: string): WorkerLine[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
