// Numbers drawn at random from a seed, the same on every machine (mulberry32).

/** A source of them. */
export interface Random {
  /** Between two numbers. */
  readonly between: (least: number, most: number) => number
  /** A whole number, both ends included. */
  readonly whole: (least: number, most: number) => number
  /** Whether something happens that does with this probability. */
  readonly happens: (probability: number) => boolean
  readonly pick: <Each>(of: readonly Each[]) => Each
}

export const randomOf = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (least, most) => least + (most - least) * next(),
    whole: (least, most) => least + Math.floor((most - least + 1) * next()),
    happens: (probability) => next() < probability,
    pick: (of) => of[Math.floor(of.length * next())] as (typeof of)[number],
  }
}
