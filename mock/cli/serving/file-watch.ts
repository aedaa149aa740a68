import { promises } from 'node:fs'

/** The milliseconds between two looks at the file. */
const interval = 200

/** Returns a string that changes with the file. */
export async function versionOf(path: string): Promise<string> {
  try {
    const { mtimeNs, size, ino } = await promises.stat(path, { bigint: true })
    return [mtimeNs, size, ino].join(' ')
  } catch {
    return 'missing'
  }
}

/**
 * Calls a function after each change of a file. It polls, because editors replace files, and mounted folders of containers
 * send no notifications.
 *
 * @param version The version that the caller has.
 * @returns A function that ends this.
 */
export function watchFile(path: string, version: string, changed: () => void): () => void {
  let known = version
  const timer = setInterval(async () => {
    const found = await versionOf(path)
    if (found === known) return
    known = found
    changed()
  }, interval).unref()
  return () => clearInterval(timer)
}
