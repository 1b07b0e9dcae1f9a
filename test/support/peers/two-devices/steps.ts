// What can happen to two devices and the wire between them, as data: whatever fails can be told again, and made
// smaller.
import fc from 'fast-check'
import type { Disk } from './device.ts'
import { type Cut, GOOD, type Lot } from './wire.ts'

/** What a client wants: a pose by either path, another name, one more output of the pipeline. */
export type Wish = 'pose' | 'rig' | 'alias' | 'graph'

/** On which revision an order is based: none, the one that the receiver shows, one that is long gone. */
export type Base = 'none' | 'shown' | 'old'

/** What is done, and how often the event loop goes round before the next step: nothing has to have come to an end. */
export type Step = { readonly turns: number } & (
  | {
      readonly do: 'order'
      readonly wish: Wish
      readonly marked: boolean
      readonly base: Base
      readonly heard: boolean
      readonly lot: Lot
    }
  | { readonly do: 'again'; readonly nth: number; readonly heard: boolean; readonly lot: Lot }
  | { readonly do: 'local'; readonly wish: 'rename' | 'delete' | 'add' }
  | { readonly do: 'lot'; readonly lot: Lot; readonly connections: number }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'hit'; readonly bytes: number; readonly how: Cut }
  | { readonly do: 'unplug' | 'plug' | 'forget' | 'register' }
  | { readonly do: 'slow-disk'; readonly ms: number }
  | { readonly do: 'kill'; readonly who: 'source' | 'receiver'; readonly disk: Disk; readonly silently: boolean }
  | { readonly do: 'start'; readonly who: 'source' | 'receiver' }
)

const turns = fc.oneof(fc.constant(30), fc.nat({ max: 30 }))

const cut = fc.constantFrom<Cut>('end', 'reset', 'swallow')
const bytes = fc.option(fc.nat({ max: 900 }), { freq: 2 })

const badLot: fc.Arbitrary<Lot> = fc.record({
  towards: bytes,
  back: bytes,
  cut,
  delayMs: fc.constantFrom(0, 0, 3, 40, 700),
  doubledMs: fc.constantFrom(null, null, 0, 5, 300, 4_000),
})

const lot = fc.oneof({ weight: 2, arbitrary: fc.constant(GOOD) }, { weight: 3, arbitrary: badLot })

const order = fc.record({
  do: fc.constant('order' as const),
  wish: fc.constantFrom<Wish>('pose', 'rig', 'alias', 'graph'),
  marked: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  base: fc.constantFrom<Base>('none', 'shown', 'shown', 'old'),
  heard: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  lot,
  turns,
})

const who = fc.constantFrom('source' as const, 'receiver' as const)

/** A step; the likelier ones more often. */
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: order },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('again' as const),
      nth: fc.nat({ max: 5 }),
      heard: fc.boolean(),
      lot,
      turns,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('local' as const),
      wish: fc.constantFrom('rename' as const, 'rename' as const, 'delete' as const, 'add' as const),
      turns,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 20, 60, 400, 2_500, 9_000, 26_000),
      turns,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('lot' as const),
      lot: badLot,
      connections: fc.integer({ min: 1, max: 4 }),
      turns,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('hit' as const), bytes: fc.nat({ max: 300 }), how: cut, turns }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('unplug' as const, 'plug' as const, 'forget' as const, 'register' as const),
      turns,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('slow-disk' as const), ms: fc.constantFrom(30, 500, 3_000), turns }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('kill' as const),
      who,
      disk: fc.constantFrom<Disk>('before', 'after'),
      silently: fc.boolean(),
      turns,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('start' as const), who, turns }) },
)

/** What happens in one run. delayMs: of every byte on the wire. */
export interface Happening {
  readonly delayMs: number
  readonly steps: readonly Step[]
}

export const happening: fc.Arbitrary<Happening> = fc.record({
  delayMs: fc.constantFrom(0, 0, 1, 15),
  steps: fc.array(step, { minLength: 1, maxLength: 20, size: 'max' }),
})
