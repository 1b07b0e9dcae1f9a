// What another device tells of the frames of its streams, as it is told on here.
import { jsonIn } from '../schema/json.ts'

/** Whose results are wanted. */
export interface RemoteResultsLook {
  readonly peer_id: string
  /** By their ids there. */
  readonly streams: readonly string[]
  /** Default: all. */
  readonly outputs?: readonly string[] | undefined
  /** Of one stream, at most. */
  readonly ratePerS: number
}

/** One message of a stream of a peer. */
export interface RemoteResultsMessage {
  /** As the stream is listed here, with the peer and a colon before its id. */
  readonly listedId: string
  readonly hasEnded: boolean
  /** As it is told on. */
  readonly text: () => string
}

/** One message of another device. */
export interface HeardResults {
  /** The stream, by its id there. */
  readonly stream_id: string
  /** It was deleted there. */
  readonly hasEnded: boolean
  /** The same message, with the stream as it is listed here. */
  readonly textFor: (listedId: string) => string
}

interface Told {
  readonly stream_id?: unknown
  readonly ended?: unknown
  readonly outputs?: unknown
}

/**
 * Reads a message. What was found is passed on as it came, as a device of a newer version may know outputs that this
 * one does not. undefined: it makes no sense, or is of a stream that nobody has asked for.
 */
export const heardResults = (text: string, asked: ReadonlySet<string>): HeardResults | undefined => {
  const told = jsonIn(text)
  if (typeof told !== 'object' || told === null) return undefined
  const { stream_id, ended, outputs } = told as Told
  if (typeof stream_id !== 'string' || !asked.has(stream_id)) return undefined
  const hasEnded = ended === true
  if (!hasEnded && (typeof outputs !== 'object' || outputs === null)) return undefined
  return {
    stream_id,
    hasEnded,
    textFor: (listedId) => JSON.stringify(hasEnded ? endOf(listedId) : { ...told, stream_id: listedId }),
  }
}

/** The message that nothing more comes of a stream. */
export const endOf = (stream_id: string): { readonly stream_id: string; readonly ended: true } => ({
  stream_id,
  ended: true,
})
