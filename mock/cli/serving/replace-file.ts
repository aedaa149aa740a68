import { constants, type Stats } from 'node:fs'
import {
  access,
  type FileHandle,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** The mode of a new file. Only the owner can access the file, because it contains keys and records. */
const newMode = 0o600

/** Resolves a path's symbolic links. The target need not exist. */
export async function linkTargetOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (Object(error).code !== 'ENOENT') throw error
    const link = await readlink(path).catch(() => undefined)
    if (link === undefined) return resolve(path)
    return linkTargetOf(resolve(await realpath(dirname(path)), link))
  }
}

/**
 * Creates or replaces a file. Writes to a temporary file first, so a crash leaves either the old or the new content.
 * Preserves the mode of an existing file and, if permitted, its owner.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const before = await stat(path).catch(() => undefined)
  if (before) await access(path, constants.W_OK)
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const file = await open(temporary, 'wx', newMode)
    try {
      if (before) await copyAccess(before, file)
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function copyAccess({ uid, gid, mode }: Stats, file: FileHandle): Promise<void> {
  // Only an administrator can change a file's owner.
  await file.chown(uid, gid).catch(() => {})
  await file.chmod(mode)
}

/** Deletes temporary files left by killed processes. */
export async function removeTemporaries(path: string): Promise<void> {
  const folder = dirname(path)
  const prefix = `${basename(path)}.`
  for (const name of await readdir(folder)) {
    const isTemporary = name.startsWith(prefix) && /^\d+\.tmp$/.test(name.slice(prefix.length))
    if (isTemporary) await rm(join(folder, name), { force: true })
  }
}
