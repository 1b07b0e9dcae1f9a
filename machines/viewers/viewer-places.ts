// How many may watch at once, whatever it is: live pictures or recordings, over all servers of this device.
import type { Fault } from '../errors/fault.ts'
import { token } from '../token.ts'

/** Each costs a core about 1 % at 30 fps. */
export const MAX_VIEWERS = 64

/** The places of all viewers. */
export class ViewerPlaces {
  #taken = 0

  /** Why one more cannot watch now; undefined: it can. */
  full(): Fault | undefined {
    if (this.#taken < MAX_VIEWERS) return undefined
    return {
      code: 'viewer.too_many',
      detail: `${MAX_VIEWERS} previews and recordings are being watched; close one first`,
    }
  }

  /**
   * Takes a place, in the same turn in which it was asked whether there is one: others come while one waits. Returns
   * the way to leave it, which may be called once.
   */
  take(): () => void {
    this.#taken += 1
    return () => {
      this.#taken -= 1
    }
  }
}

export const VIEWER_PLACES = token<ViewerPlaces>('viewer-places')
