// What is drawn at random for a made-up day.
import { mulberry32 } from '../mulberry32.ts'

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
  const next = mulberry32(seed)
  return {
    between: (least, most) => least + (most - least) * next(),
    whole: (least, most) => least + Math.floor((most - least + 1) * next()),
    happens: (probability) => next() < probability,
    pick: (of) => of[Math.floor(of.length * next())] as (typeof of)[number],
  }
}
