import type { PostgresDatabase } from '../../../src/stores/database.ts'
import { CommandFailure } from '../options.ts'
import { linkTargetOf } from '../serving/replace-file.ts'
import { lockFile } from '../serving/state-lock.ts'

export interface OpenDatabase {
  database: PostgresDatabase
  close(): Promise<unknown>
}

/** @throws {CommandFailure} when the driver is not installed or another process uses the folder. */
export async function openDatabase(url: string | undefined, folder: string): Promise<OpenDatabase> {
  try {
    return await (url === undefined ? openFolder(folder) : openServer(url))
  } catch (error) {
    const { code, message } = Object(error)
    // The CommonJS build throws an error with this code, whose message names the missing package.
    if (code === 'missing_package') throw new CommandFailure(String(message))
    throw error
  }
}

async function openServer(connectionString: string): Promise<OpenDatabase> {
  const { Pool } = namesOf(await import('pg'))
  const pool = new Pool({ connectionString })
  // Ignore lost connections: if the database cannot be reached, the next query reports it.
  pool.on('error', () => {})
  return { database: pool, close: () => pool.end() }
}

async function openFolder(folder: string): Promise<OpenDatabase> {
  // Without a lock, two processes would overwrite each other's rows.
  const target = folder.includes('://') ? undefined : await linkTargetOf(folder)
  const subject = { kind: 'folder', flag: '--folder', holder: 'sync command' }
  const lock = target && (await lockFile(target, subject))
  const { PGlite } = namesOf(await import('@electric-sql/pglite'))
  // Check again: if a killed process left a lock, two processes may have replaced it at the same time.
  if (lock) await lock.check()
  const database = await PGlite.create(folder)
  return { database, close: () => database.close() }
}

/** Returns a driver's exports, which `import` puts into `default` in the CommonJS build. */
function namesOf<Module extends object>(module: Module & { default?: Module }): Module {
  return module.default ?? module
}
