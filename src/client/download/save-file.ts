import { withoutAddedFields } from '../../shared/own-fields.ts'
import { chunks } from '../transport/body.ts'

type Write = (chunk: Uint8Array) => Promise<void>
type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>
type FileSystem = typeof import('node:fs/promises')

/**
 * Saves a stream either completely or not at all. Pipes and other special files are written to directly.
 *
 * @throws {TypeError} on platforms without a file system, or when the stream has already been read or cancelled.
 */
export async function saveFile(
  operation: string,
  path: string,
  unread: Bytes,
  read: (stream: Bytes, write: Write) => Promise<void> = writeChunks,
): Promise<void> {
  if (typeof path !== 'string' || path === '') {
    throw new TypeError('Expected the file path to be a non-empty string.')
  }
  // Lock the stream immediately, so that a later call cannot read it while the file is being opened.
  const stream = unreadBody(operation, unread).pipeThrough(new TransformStream())
  const files = await fileSystem(operation, stream)
  const { target, existing, temporary, file } = await openTemporary(files, path).catch(
    async (error: unknown) => {
      await stream.cancel()
      throw error
    },
  )
  try {
    const write: Write = (chunk) => file.appendFile(chunk)
    const flush = () => (temporary === target ? undefined : file.sync())
    await read(stream, write)
      .then(flush)
      .finally(() => file.close())
    if (temporary === target) return
    if (existing) await copyPermissions(files, temporary, existing)
    await files.rename(temporary, target)
  } catch (error) {
    if (temporary !== target) await files.rm(temporary, { force: true })
    throw error
  }
}

/**
 * @throws {TypeError} when the stream has already been read or cancelled, because it would then appear empty or
 * truncated.
 */
export function unreadBody<Body extends ReadableStream>(operation: string, stream: Body): Body {
  try {
    withoutAddedFields(() => new Response(stream))
    return stream
  } catch {
    throw new TypeError(
      `${operation}: the body was already read or cancelled. Call the method again.`,
    )
  }
}

/** Returns the file system module. A static import would break browser bundles. */
async function fileSystem(operation: string, stream: ReadableStream): Promise<FileSystem> {
  const files = globalThis.process?.getBuiltinModule?.('node:fs/promises')
  if (files) return files
  await stream.cancel()
  throw new TypeError(
    `${operation}: this platform has no file system to save to. Read the stream instead.`,
  )
}

/**
 * Opens a temporary file next to the target. If the target exists, only the current user can access the temporary file.
 * Special files are opened directly, without a temporary file.
 */
async function openTemporary(files: FileSystem, path: string) {
  const target = await resolveTarget(files, path)
  const existing = await files.stat(target).catch(() => undefined)
  if (existing && !existing.isFile()) {
    return { target, existing, temporary: target, file: await files.open(target, 'w') }
  }
  // Shorten the name, because file systems limit names to 255 bytes.
  const start = target.replace(/([^/\\:]{0,50})[^/\\:]*$/, '$1')
  const temporary = `${start}.${crypto.randomUUID()}.part`
  // The temporary file may belong to another group until `copyPermissions` runs, so the group gets no access yet.
  const mode = existing ? existing.mode & 0o700 : 0o666
  return { target, existing, temporary, file: await files.open(temporary, 'wx', mode) }
}

/** Resolves symbolic links. Rejects for a broken link, so neither the link nor its target is replaced. */
async function resolveTarget({ lstat, realpath }: FileSystem, path: string): Promise<string> {
  const exists = await lstat(path).then(
    () => true,
    () => false,
  )
  return exists ? realpath(path) : path
}

/** Copies the owner, group and permissions to a file. Removes the group's access if the group cannot be copied. */
async function copyPermissions(
  { chmod, chown, stat }: FileSystem,
  path: string,
  { mode, uid, gid }: Record<'mode' | 'uid' | 'gid', number>,
): Promise<void> {
  const created = await stat(path)
  await chown(path, uid, gid)
    .catch(() => chown(path, created.uid, gid))
    .catch(() => undefined)
  const isSameGroup = (await stat(path)).gid === gid
  await chmod(path, mode & (isSameGroup ? 0o777 : 0o707))
}

async function writeChunks(stream: Bytes, write: Write): Promise<void> {
  for await (const chunk of chunks(stream)) await write(chunk)
}
