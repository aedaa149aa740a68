import { existsSync, readFileSync } from 'node:fs'

/** A line in the worker's file: an order about to be created, or the id of a created order. */
export interface WorkerLine {
  /** The worker's own id for the order. */
  own: string
  /** The service's id; absent before the order is created. */
  id?: string
}

export interface WorkerTask {
  baseUrl: string
  apiKey: string
  labTest: string
  /** The file that survives a crash of the worker. */
  file: string
  /** The number of the last order. */
  last: number
}

export function readLines(file: string): WorkerLine[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
