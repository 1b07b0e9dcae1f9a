// The cameras of a Linux device: found in sysfs, asked by a program of ours that opens each, so that a driver which
// hangs takes nothing with it.

import { watch as watchFolder } from 'node:fs'
import { availableParallelism } from 'node:os'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { projectPath } from '../files/project-root.ts'
import { runProgram } from '../programs/run.ts'
import { readAnswers, unanswered } from './answers.ts'
import type { CamerasPort } from './port.ts'
import { readVideoNodes } from './sysfs.ts'
import { resetUsb, switchOnAgain } from './usb-reset.ts'

/** Where to look. */
export interface LinuxCamerasParts {
  /** A folder for what must be known after a kill. */
  readonly notes: string
  readonly sysfs?: string
  readonly dev?: string
  /** What asks the drivers. */
  readonly program?: string
  /** Of the processor. */
  readonly cores?: number
  /** For how long a device that is reset is away. */
  readonly whileOff?: Effect.Effect<void>
}

const PROGRAM = projectPath('native/addon/build/cameras')
const OFF_MS = 500 // a hub that sees its port go away and come back in less may think that nothing was

export const linuxCameras = ({
  notes,
  sysfs = process.env.VEDETTE_SYSFS_ROOT || '/sys',
  dev = process.env.VEDETTE_DEV_ROOT || '/dev',
  program = PROGRAM,
  cores = availableParallelism(),
  whileOff = Effect.sleep(OFF_MS),
}: LinuxCamerasParts): CamerasPort => ({
  cores,
  nodes: Effect.mapError(
    Effect.tryPromise({ try: () => readVideoNodes(sysfs, dev), catch: (error) => error as Error }),
    failed('the cameras of this device cannot be listed'),
  ),
  ask: (devices) =>
    devices.length === 0
      ? Effect.succeed([])
      : Effect.match(runProgram(program, ...devices), {
          onSuccess: (output) => readAnswers(devices, output),
          onFailure: ({ detail }) => devices.map((device) => unanswered(device, `it could not be asked: ${detail}`)),
        }),
  watch: (changed) =>
    Effect.andThen(
      Effect.acquireRelease(
        Effect.sync(() => watchNodes(dev, changed)),
        (stop) => Effect.sync(stop),
      ),
      switchOnAgain(notes), // what comes by that is told
    ),
  reset: ({ device, usb }) =>
    usb
      ? Effect.mapError(
          resetUsb({ notes, whileOff }, usb.folder),
          failed(`the USB device of ${device} cannot be reset`),
        )
      : Effect.fail({ code: 'device.failed', detail: `${device} is no USB device, so that it cannot be reset` }),
})

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

const failed =
  (what: string) =>
  ({ message }: Error): Fault => ({ code: 'device.failed', detail: `${what}: ${message}` })
