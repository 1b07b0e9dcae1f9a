// What a model answers, as the engine's C++ reads it (native/addon/nodes/learned/tensor.h): a head that says where the
// numbers of each tensor lie, and the numbers.
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import type { ModelTensor } from '../../../../machines/models/model.ts'
import { NotModel } from '../../../models/open-model.ts'
import { loadRuntime } from '../../../models/runtime.ts'

/** By the numbers that C++ knows them by. */
const ELEMENTS = {
  float32: { number: 1, bytes: 4, view: Float32Array },
  uint8: { number: 2, bytes: 1, view: Uint8Array },
  int32: { number: 3, bytes: 4, view: Int32Array },
  int64: { number: 4, bytes: 8, view: BigInt64Array },
  float64: { number: 5, bytes: 8, view: Float64Array },
} as const
type Element = (typeof ELEMENTS)[keyof typeof ELEMENTS]

const MAX_DIMENSIONS = 8
const WORD_BYTES = 4
const WORDS_OF_ONE = 2 + MAX_DIMENSIONS + 1
const BOUNDARY_BYTES = 64

/** More than any detector gives: 25,200 boxes of 85 numbers are 8.6 MB. */
const MAX_BYTES = 64 * 1024 * 1024
/** Of a tensor that may be longer for another picture: boxes that a model has sorted out itself. */
const ROOM_TO_GROW_BYTES = 256 * 1024

/** A tensor's place. isFixed: the model says how long it is, so that it is written there at once, without a copy. */
interface Place {
  readonly name: string
  readonly type: keyof typeof ELEMENTS
  readonly at: number
  readonly room: number
  readonly dims: readonly number[]
  readonly isFixed: boolean
}

/** Where the tensors of a model stand. */
export interface AnswerPlan {
  readonly bytes: number
  readonly places: readonly Place[]
}

const aligned = (bytes: number): number => Math.ceil(bytes / BOUNDARY_BYTES) * BOUNDARY_BYTES

const elementOf = (type: string): Element | undefined =>
  Object.hasOwn(ELEMENTS, type) ? ELEMENTS[type as keyof typeof ELEMENTS] : undefined

const lengthOf = (dims: readonly number[]): number => dims.reduce((all, length) => all * length, 1)

/** Finds a place for all that a model gives. given: for some picture. Throws NotModel. */
export const planAnswer = (outputs: readonly ModelTensor[], given: InferenceSession.ReturnType): AnswerPlan => {
  let at = aligned(WORD_BYTES * (1 + outputs.length * WORDS_OF_ONE))
  const places = outputs.map(({ name, element: type, shape }): Place => {
    const element = elementOf(type)
    const tensor = given[name]
    if (!element || !tensor)
      throw new NotModel(`gives numbers of ${type}; ${Object.keys(ELEMENTS).join(', ')} are read here`)
    const isFixed = shape.every((length, n) => length === tensor.dims[n])
    const bytes = lengthOf(tensor.dims) * element.bytes
    const room = aligned(isFixed ? bytes : bytes + ROOM_TO_GROW_BYTES)
    const place = { name, type: type as Place['type'], at, room, dims: [...tensor.dims], isFixed }
    at += room
    return place
  })
  if (at > MAX_BYTES)
    throw new NotModel(
      `gives ${Math.round(at / 1e6)} MB for each picture; at most ${Math.floor(MAX_BYTES / 1e6)} MB are read here`,
    )
  return { bytes: at, places }
}

/** The tensors of answers in a piece of memory. */
export class Answers {
  /** What the runtime writes to; null where it makes memory of its own. */
  readonly fetches: Readonly<Record<string, Tensor | null>>
  readonly #plan: AnswerPlan
  readonly #memory: ArrayBuffer
  readonly #head: Uint32Array

  constructor(plan: AnswerPlan, memory: ArrayBuffer) {
    this.#plan = plan
    this.#memory = memory
    this.#head = new Uint32Array(memory, 0, 1 + plan.places.length * WORDS_OF_ONE)
    this.#head[0] = plan.places.length
    for (const [index, place] of plan.places.entries()) this.#describe(index, place, place.dims)
    this.fetches = Object.fromEntries(plan.places.map((place) => [place.name, this.#written(place)]))
  }

  /** Has all that was given in its place, and says how many bytes that are. */
  take(given: InferenceSession.ReturnType): number {
    for (const [index, place] of this.#plan.places.entries()) {
      const tensor = given[place.name]
      if (!place.isFixed && tensor) this.#copy(index, place, tensor)
    }
    return this.#plan.bytes
  }

  #written({ type, at, dims, isFixed }: Place): Tensor | null {
    if (!isFixed) return null
    const { Tensor } = loadRuntime()
    const data = new ELEMENTS[type].view(this.#memory, at, lengthOf(dims))
    return new Tensor(type, data as Float32Array, dims)
  }

  #copy(index: number, place: Place, { dims, data }: Tensor): void {
    const bytes = data as Exclude<Tensor['data'], string[]>
    if (bytes.byteLength > place.room)
      throw new Error(`the model gives ${dims.join('x')} of ${place.name}, for which there is no room`)
    new Uint8Array(this.#memory, place.at, bytes.byteLength).set(
      new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    )
    this.#describe(index, place, dims)
  }

  #describe(index: number, { type, at }: Place, dims: readonly number[]): void {
    const from = 1 + index * WORDS_OF_ONE
    const padded = Array.from({ length: MAX_DIMENSIONS }, (_, n) => dims[n] ?? 0)
    this.#head.set([ELEMENTS[type].number, dims.length, ...padded, at], from)
  }
}
