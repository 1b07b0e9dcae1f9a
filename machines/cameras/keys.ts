// By what a camera is known again: the port in which it is, the unit that it is, the model that it is of.
import type { VideoNode } from './camera-info.ts'

/** unit: null where the serial number says nothing. */
export interface CameraKeys {
  readonly port_key: string
  readonly unit_key: string | null
  readonly model_key: string
}

// What factories put where a serial number belongs. `SN0001`, `01.00.00` and `200901010001` stand in cameras of a dozen
// makers.
const NO_SERIALS = [
  /^sn0*1$/i,
  /^[0 .:_-]*1?$/,
  /^0?1\.0?0\.0?0$/,
  /^20\d\d(0?1){2}0*1?$/,
  /^0*123456(789?)?(0|abcdef)?$/i,
  /^(.)\1*$/,
  /^(none|n\/a|default|serial|unknown|usb.?camera)$/i,
]

/** Whether a serial number may tell one unit from another. */
export const isSerial = (serial: string | null): serial is string => {
  const text = serial?.trim() ?? ''
  return text !== '' && !NO_SERIALS.some((pattern) => pattern.test(text))
}

/** A camera that makes several device files has keys for each. */
export const keysOf = ({ name, index, controller, usb }: VideoNode): CameraKeys => {
  if (!usb) return { port_key: `${controller}#${index}`, unit_key: null, model_key: `${name}#${index}` }
  const part = `${usb.interface}#${index}`
  const kind = `${usb.vendor_id}:${usb.product_id}`
  return {
    port_key: `${controller}:${usb.port}:${part}`,
    unit_key: isSerial(usb.serial) ? `${kind}:${usb.serial.trim()}:${part}` : null,
    model_key: `${kind}:${usb.product ?? name}:${part}`,
  }
}
