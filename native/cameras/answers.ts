// What the program `cameras` prints, read: a line of JSON for each device.
import { CameraAnswer } from '../../machines/cameras/camera-info.ts'
import { validatorOf } from '../../machines/schema/errors.ts'

const errorsOf = validatorOf(CameraAnswer)

/** One answer for each device, in that order. */
export const readAnswers = (devices: readonly string[], output: string): readonly CameraAnswer[] => {
  const answers = new Map(output.split('\n').flatMap((line) => readAnswer(line) ?? []))
  return devices.map((device) => answers.get(device) ?? unanswered(device, 'nothing is known of it: no answer came'))
}

/** A device that could not be asked. */
export const unanswered = (device: string, detail: string): CameraAnswer => ({ device, ok: false, detail })

const readAnswer = (line: string): [[string, CameraAnswer]] | undefined => {
  let said: unknown
  try {
    said = JSON.parse(line)
  } catch {
    return undefined
  }
  const { device } = (said ?? {}) as { readonly device?: unknown }
  if (typeof device !== 'string') return undefined
  const [error] = errorsOf(said)
  return [
    [
      device,
      error
        ? unanswered(device, `its answer cannot be read: ${error.pointer} ${error.message}`)
        : (said as CameraAnswer),
    ],
  ]
}
