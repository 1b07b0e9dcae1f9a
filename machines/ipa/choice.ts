// Which tuning file an order means, why it is not carried out, and what is said when it was.
import type { Fault } from '../errors/fault.ts'
import { flawOfCcm } from './ccm.ts'
import type { CcmOrder } from './ipa.ts'
import { type FoundTuning, fileInForce, type TuningLook } from './places.ts'

/** The copy of this service at a path. */
export const copyIn = ({ copies }: TuningLook, path: string) => copies.find((each) => each.path === path)

/** The file of that path; `ipa.not_found`. */
export const listed = ({ files }: TuningLook, path: string): FoundTuning | Fault =>
  files.find((each) => each.path === path) ?? {
    code: 'ipa.not_found',
    detail: `${path} is none of the tuning files that are listed (GET /v1/device/ipa)`,
  }

/** What is in force for a sensor that is there. */
export const fileOfSensor = ({ files, modules }: TuningLook, sensor: string): FoundTuning | undefined => {
  const found = modules.map((module) => fileInForce(files, { module, sensor }))
  return found.find((each) => each !== undefined)
}

/** The one that is named, or that of the one sensor that is there; `ipa.not_found`. */
export const wanted = (look: TuningLook, file: string | undefined): FoundTuning | Fault => {
  if (file !== undefined) return listed(look, file)
  const found = look.sensors.flatMap((sensor) => fileOfSensor(look, sensor) ?? [])
  const [one, ...others] = found
  if (one && others.length === 0) return one
  return {
    code: 'ipa.not_found',
    detail: one
      ? `there are ${found.length} sensors here; name the file: ${found.map(({ path }) => path).join(', ')}`
      : 'no sensor with a tuning file was found here; name the file (GET /v1/device/ipa lists them)',
  }
}

/** A file that is not changed, and why. */
export const notChanged = (detail: string): Fault => ({ code: 'ipa.not_changed', detail })

/** A file that is there and cannot be read. */
export const unreadable = (path: string): Fault => notChanged(`${path} cannot be read, or is longer than 1 MiB`)

/** Why an order makes no sense; undefined: it does. */
export const flawOfOrder = ({ ct, ccm, remove }: CcmOrder): Fault | undefined => {
  const wrong = (pointer: string, message: string): Fault => ({
    code: 'body.invalid',
    detail: `${pointer.slice(1)}: ${message}`,
    errors: [{ pointer, message }],
  })
  if (remove && (ct !== undefined || ccm !== undefined))
    return wrong('/remove', 'stands alone; leave ct and ccm out, or remove')
  if (remove) return undefined
  if (ct === undefined) return wrong('/ct', 'is missing: the colour temperature of the light, kelvin')
  if (ccm === undefined) return wrong('/ccm', 'is missing: nine numbers, row by row')
  const flaw = flawOfCcm(ccm)
  return flaw === undefined ? undefined : wrong('/ccm', flaw)
}

/** What was done, with when it holds. restarted: streams; null: that was not asked for. */
export const withEnd = ({ detail }: { readonly detail: string }, restarted: readonly string[] | null): string => {
  if (restarted === null) return `${detail}; it holds from the next start of the engine on.`
  if (restarted.length === 0)
    return `${detail}. No stream was restarted: none has a camera that is not on USB, and others have no tuning file.`
  return `${detail}, and ${restarted.join(', ')} restarted with it.`
}
