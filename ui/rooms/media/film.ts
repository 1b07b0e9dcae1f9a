// A recording of JPEGs as the service plays it: pictures with their times, one after the other. Browsers play no JPEGs
// in an MP4.
import type { Problem } from '../../api/client.ts'

/** A picture of a recording. */
export interface FilmPicture {
  /** Since the first of the recording. */
  readonly atMs: number
  readonly jpeg: Blob
}

/** The service does not play it. */
export class NotPlayed extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

const AWAY: Problem = {
  code: 'service.away',
  detail: 'The device does not answer. It may be restarting, or this computer has lost its network.',
}

/** From when on it is played, and how many times faster than it was taken. */
interface Playing {
  readonly fromMs: number
  readonly speed: number
  readonly signal: AbortSignal
}

const open = async (url: string, { fromMs, speed, signal }: Playing): Promise<ReadableStream<Uint8Array>> => {
  const query = `as=multipart&from_ms=${Math.max(0, fromMs)}&speed=${speed}`
  const response = await fetch(`${url}?${query}`, { signal }).catch((error) => {
    if (signal.aborted) throw error
    throw new NotPlayed(AWAY)
  })
  if (response.ok && response.body) return response.body
  const text = await response.text()
  const { code = `http.${response.status}`, detail = text } = (text.startsWith('{') ? JSON.parse(text) : {}) as {
    code?: string
    detail?: string
  }
  throw new NotPlayed({ code, detail })
}

const text = new TextDecoder('latin1')
const END_OF_HEAD = '\r\n\r\n'

/** The pictures from a time on. Ends with the recording, or when the signal says so; throws `NotPlayed`. */
export async function* filmPictures(url: string, playing: Playing): AsyncGenerator<FilmPicture> {
  const reader = (await open(url, playing)).getReader()
  let bytes = new Uint8Array()
  /** Whether there are so many bytes; false: it has ended before. */
  const has = async (count: number): Promise<boolean> => {
    while (bytes.length < count) {
      const { done, value } = await reader.read()
      if (done) return false
      const joined = new Uint8Array(bytes.length + value.length)
      joined.set(bytes)
      joined.set(value, bytes.length)
      bytes = joined
    }
    return true
  }
  try {
    for (;;) {
      let head = -1
      for (let count = 1; head < 0; count = bytes.length + 1) {
        if (!(await has(count))) return
        head = text.decode(bytes.subarray(0, 1024)).indexOf(END_OF_HEAD)
      }
      const lines = text.decode(bytes.subarray(0, head))
      const length = Number(/content-length: (\d+)/i.exec(lines)?.[1])
      const atMs = Number(/x-position-ms: ([\d.]+)/i.exec(lines)?.[1])
      const from = head + END_OF_HEAD.length
      if (!(await has(from + length))) return
      yield { atMs, jpeg: new Blob([bytes.slice(from, from + length)], { type: 'image/jpeg' }) }
      bytes = bytes.slice(from + length)
    }
  } finally {
    await reader.cancel().catch(() => {}) // of one that was broken off already
  }
}

const MAX_SPEED = 8
const FIRST_LOOK_BACK = 1.6 // of the time between two pictures: the last one before is in it, as a rule

/** The picture at a time or the next one after it; undefined: there is none. */
export const pictureFrom = async (
  url: string,
  fromMs: number,
  signal: AbortSignal,
): Promise<FilmPicture | undefined> => {
  for await (const picture of filmPictures(url, { fromMs, speed: 1, signal })) return picture
  return undefined
}

/** The last picture before a time. betweenMs: how far apart two are, about. */
export const pictureBefore = async (
  url: string,
  beforeMs: number,
  betweenMs: number,
  signal: AbortSignal,
): Promise<FilmPicture | undefined> => {
  for (let back = betweenMs * FIRST_LOOK_BACK; ; back *= 4) {
    const fromMs = beforeMs - back
    let last: FilmPicture | undefined
    for await (const picture of filmPictures(url, { fromMs, speed: MAX_SPEED, signal })) {
      if (picture.atMs >= beforeMs - 0.0005) break
      last = picture
    }
    if (last || fromMs <= 0) return last
  }
}
