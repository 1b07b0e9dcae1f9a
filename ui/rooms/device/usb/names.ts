// What people call a USB device.
import type { UsbDevice } from '../../../state/usb.ts'

/** `Acme HD Cam`; its numbers when it says nothing of itself. */
export const nameOfDevice = ({ manufacturer, product, vendor_id, product_id }: UsbDevice): string => {
  const brand = manufacturer?.split(' ')[0] ?? ''
  const said = product && brand && !product.startsWith(brand) ? `${manufacturer} ${product}` : product
  return said ?? ([vendor_id, product_id].filter(Boolean).join(':') || 'Unknown device')
}

/** `480 Mbit/s`, `5 Gbit/s`. */
export const speedText = (mbitS: number | null): string => {
  if (mbitS === null) return 'not known'
  return mbitS >= 1000 ? `${mbitS / 1000} Gbit/s` : `${mbitS} Mbit/s`
}
