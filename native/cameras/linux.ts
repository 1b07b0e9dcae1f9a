// The cameras of a Linux device: found in sysfs, asked by a program of ours that opens each, so that a driver which hangs takes nothing with it.
import { watch as watchFolder } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { runProgram } from '../programs/run.ts'
import { readAnswers, unanswered } from './answers.ts'
import type { CamerasPort } from './port.ts'
import { readVideoNodes } from './sysfs.ts'

/** Where to look. program: what asks the drivers. cores: of the processor. whileOff: for how long a device that is reset is away. */
export interface LinuxCamerasParts {
  readonly sysfs?: string
  readonly dev?: string
  readonly program?: string
  readonly cores?: number
  readonly whileOff?: Effect.Effect<void>
}

const PROGRAM = fileURLToPath(new URL('../../native/addon/build/cameras', import.meta.url))
const OFF_MS = 500 // a hub that sees its port go away and come back in less may think that nothing was

export const linuxCameras = ({
  sysfs = process.env.VEDETTE_SYSFS_ROOT || '/sys',
  dev = process.env.VEDETTE_DEV_ROOT || '/dev',
  program = PROGRAM,
  cores = availableParallelism(),
  whileOff = Effect.sleep(OFF_MS),
}: LinuxCamerasParts = {}): CamerasPort => ({
  cores,
  nodes: attempt('the cameras of this device cannot be listed', () => readVideoNodes(sysfs, dev)),
  ask: (devices) =>
    devices.length === 0
      ? Effect.succeed([])
      : Effect.match(runProgram(program, ...devices), {
          onSuccess: (output) => readAnswers(devices, output),
          onFailure: ({ detail }) => devices.map((device) => unanswered(device, `it could not be asked: ${detail}`)),
        }),
  watch: (changed) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => watchNodes(dev, changed)),
        (stop) => Effect.sync(stop),
      ),
    ),
  reset: ({ device, usb }) =>
    usb
      ? Effect.acquireUseRelease(
          authorize(device, usb.folder, '0'),
          () => whileOff,
          () => authorize(device, usb.folder, '1'), // whoever interrupts: nobody else would switch it on again
        )
      : Effect.fail({ code: 'device.failed', detail: `${device} is no USB device, so that it cannot be reset` }),
})

const authorize = (device: string, folder: string, value: '0' | '1') =>
  attempt(`the USB device of ${device} cannot be reset`, () =>
    writeFile(join(folder, 'authorized'), value, { flag: 'r+' }),
  )

const NODE = /^video\d+$/

/** Where nothing can be watched, the rescan finds what there is. */
const watchNodes = (dev: string, changed: () => void): (() => void) => {
  try {
    const watcher = watchFolder(dev, (_, name) => {
      if (name === null || NODE.test(name)) changed()
    })
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    return () => {}
  }
}

const attempt = <Value>(what: string, act: () => Promise<Value>): Effect.Effect<Value, Fault> =>
  Effect.tryPromise({
    try: act,
    catch: (error): Fault => ({ code: 'device.failed', detail: `${what}: ${(error as Error).message}` }),
  })
