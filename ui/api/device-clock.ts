// The clock of the device as this browser sees it. A device without a network often has no idea of the time of day, so
// an age is never counted from one clock to the other.

const MAX_NOISE_MS = 2000 // an answer says its time in whole seconds, and is on its way for a while

let aheadMs = 0 // how far the clock of the device is ahead of that of this browser

/** Told what time it is on the device, whenever that is heard. */
export const noteDeviceTime = (deviceMs: number): void => {
  const nowMs = deviceMs - Date.now()
  if (Number.isFinite(nowMs) && Math.abs(nowMs - aheadMs) > MAX_NOISE_MS) aheadMs = nowMs
}

/** A time of the device's clock on that of this browser: for `Age` and for times of the day. */
export const browserTimeOf = (deviceMs: number): number => deviceMs - aheadMs
