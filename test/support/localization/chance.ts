// Random numbers of simulated worlds: the same for the same seed.

export interface Chance {
  /** 0 to 1. */
  readonly even: () => number
  /** With standard deviation one. */
  readonly normal: () => number
}

/** A counter whose bits are mixed (splitmix): neighbouring seeds have nothing in common. */
export const chance = (seed: number): Chance => {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  const even = () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - even())) * Math.cos(2 * Math.PI * even())
  return { even, normal }
}
