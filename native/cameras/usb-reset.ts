// Takes a USB device away from the system and has it found again. While it is away a note on the disk says so: when the
// service is killed just then, its next run switches the device on.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as Effect from 'effect/Effect'

/** What a USB device is reset with. */
export interface UsbResetParts {
  /** The folder of the notes. */
  readonly notes: string
  /** For how long a device is away. */
  readonly whileOff: Effect.Effect<void>
}

/**
 * An interruption waits until the device is switched on. Fails with what the system says. folder: of the device, in
 * sysfs.
 */
export const resetUsb = ({ notes, whileOff }: UsbResetParts, folder: string): Effect.Effect<void, Error> => {
  const note = join(notes, basename(folder))
  const switchOn = async () => {
    await authorize(folder, '1')
    await rm(note, { force: true })
  }
  const switchOff = async () => {
    await write(note, folder).catch(() => {}) // a full disk is no reason to leave a camera hanging
    await authorize(folder, '0').catch(async (error) => {
      await rm(note, { force: true })
      throw error
    })
  }
  return Effect.acquireUseRelease(
    attempt(switchOff),
    () => whileOff,
    () => attempt(switchOn), // also when interrupted: nothing else would do it
  )
}

/** Switches on what an earlier run was killed over. Not while this one resets anything. */
export const switchOnAgain = (notes: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    for (const name of await readdir(notes).catch(() => [])) {
      const note = join(notes, name)
      const folder = await readFile(note, 'utf8').catch(() => '')
      // What is not there was unplugged, and comes back switched on. Where the system refuses, only its cable helps,
      // and its stream says so.
      if (basename(folder) === name) await authorize(folder, '1').catch(() => {})
      await rm(note, { force: true })
    }
  })

const authorize = (folder: string, value: '0' | '1'): Promise<void> =>
  writeFile(join(folder, 'authorized'), value, { flag: 'r+' })

const write = async (note: string, folder: string): Promise<void> => {
  await mkdir(join(note, '..'), { recursive: true })
  await writeFile(note, folder)
}

const attempt = (act: () => Promise<void>): Effect.Effect<void, Error> =>
  Effect.tryPromise({ try: act, catch: (error) => error as Error })
