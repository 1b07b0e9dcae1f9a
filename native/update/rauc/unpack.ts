// RAUC reads a file by its path, so its bundle is taken out of ours: our sum over all of it holds before RAUC hears of
// it. RAUC itself checks the signature first, and the bytes of a system only while it writes them.
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { megabytes } from '../../../machines/schema/megabytes.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { SYSTEM_BUNDLE_FILE } from '../../../machines/update/system-bundle.ts'
import { isFullDisk } from '../../files/atomic.ts'
import { realDisk } from '../disk.ts'
import type { VerifiedBundle } from '../port.ts'

const SPARE_BYTES = 16 * 1024 * 1024 // for the service to go on

/** Where it lies while it is installed. */
export const systemBundlePath = (system: string): string => join(system, SYSTEM_BUNDLE_FILE)

/** Removes it, and what an earlier run left of it. */
export const removeSystemBundle = async (system: string): Promise<void> => {
  const path = systemBundlePath(system)
  for (const each of [path, `${path}.part`]) await rm(each, { force: true })
}

/**
 * Writes it, whole and synced; its path. Fails with `storage.full`, `device.failed` or what the bundle says, and then
 * nothing is left of it; nor when it is interrupted, which it is between two pieces.
 */
export const unpackSystemBundle = (
  bundle: VerifiedBundle,
  system: string,
  onBytes: (bytes: number) => void,
): Effect.Effect<string, Fault> =>
  Effect.callback((resume) => {
    const stop = new AbortController()
    const done = unpack(bundle, system, (bytes) => {
      stop.signal.throwIfAborted()
      onBytes(bytes)
    }).then(
      (path) => resume(Effect.succeed(path)),
      (error: Error) =>
        resume(Effect.fail(isFault(error) ? error : failed(`the system cannot be unpacked: ${error.message}`))),
    )
    return Effect.promise(() => {
      stop.abort()
      return done
    })
  })

const unpack = async (bundle: VerifiedBundle, system: string, onBytes: (bytes: number) => void): Promise<string> => {
  const path = systemBundlePath(system)
  const part = `${path}.part`
  await removeSystemBundle(system)
  try {
    await refuseFull(bundle, system)
    for await (const file of bundle.files()) {
      if (file.path !== SYSTEM_BUNDLE_FILE) throw new Error(`there is ${file.path} in it`)
      await using out = await open(part, 'wx', 0o644)
      let bytes = 0
      for await (const chunk of file.content as AsyncIterable<Buffer>) {
        await out.writeFile(chunk)
        bytes += chunk.length
        onBytes(bytes)
      }
      await out.sync()
    }
    await rename(part, path)
    return path
  } catch (error) {
    await removeSystemBundle(system)
    throw isFullDisk(error) ? full(system) : error
  }
}

const refuseFull = async ({ manifest }: VerifiedBundle, system: string): Promise<void> => {
  const needed = SPARE_BYTES + manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  if ((await realDisk.free(system)) < needed) throw full(system, needed)
}

const failed = (detail: string): Fault => ({ code: 'device.failed', detail })

const full = (system: string, needed?: number): Fault => ({
  code: 'storage.full',
  detail: oneLine`
    there is no room in ${system} to unpack the
    system${needed === undefined ? '' : `, which takes ${megabytes(needed)}`}; delete some media and repeat
  `,
})
