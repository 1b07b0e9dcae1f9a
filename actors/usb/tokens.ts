// The tokens of USB.
import { token } from '../../machines/token.ts'
import type { UsbDevices } from './usb-devices.ts'

/** What is known of USB. */
export const USB_DEVICES = token<UsbDevices>('usb-devices')
