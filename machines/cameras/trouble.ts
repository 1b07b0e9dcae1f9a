// The trouble of a camera, in a sentence.
import { oneLine } from '../schema/one-line.ts'
import type { PresentCamera } from './recognise.ts'
import type { CameraUnit } from './unit.ts'

/** null: nothing. hasStream: one of ours takes pictures from it, or is to. */
export const troubleOf = ({ node }: PresentCamera, hasStream: boolean): string | null => {
  const { answer, device } = node
  if (!answer.ok)
    return `${device} does not answer as a camera: ${answer.detail}. Plug it in again; it is asked every few seconds.`
  if (answer.modes.length === 0) {
    const others = answer.other_formats ?? []
    const has = others.length > 0 ? `only ${others.join(', ')}` : 'none'
    return `It has no format that is understood here, ${has}; use another camera, or another mode switch on it.`
  }
  if (answer.busy && !hasStream) return `Another program takes pictures from ${device}; end it to use the camera here.`
  return null
}

/** Of one that is not there. present: those that are. */
export const troubleOfAbsent = (unit: CameraUnit, present: readonly PresentCamera[]): string => {
  const other = present.find(({ unit: { port_key } }) => port_key === unit.port_key)
  const where = other
    ? `In its port there is another camera now, ${other.unit.name} (${other.unit.camera_uid}).`
    : `It was last found as ${unit.device}.`
  return oneLine`
    It is not plugged in. ${where} Plug it into the same port; in another one it may have to be assigned to its stream.
  `
}
