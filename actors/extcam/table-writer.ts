// The topics of one table on one session: published when it is made, written as their occasions say, given back at the
// end.

import type { Snapshot } from '../../machines/extcam/snapshot.ts'
import { EXTCAM_TOPICS, type ExtcamTopic, topicValue } from '../../machines/extcam/topics.ts'
import { DEFAULT_PUBLISHING, type Publishing } from '../../machines/nt4/settings.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'

type Value = number | string | Float64Array

interface Line {
  readonly topic: ExtcamTopic
  /** What goes to the session, which is done with it when `write` returns; reused. */
  readonly entry: [handle: number, value: Value]
  /** Tells the server of it, unless that was done. */
  readonly publish: () => void
  /** What the robot has, as far as that decides whether it is written again; undefined: nothing, or not known. */
  written: Value | undefined
}

/** Writes a snapshot to its table: each call is one batch with one time stamp. Times are server time in µs. */
export class TableWriter {
  readonly #session: Nt4Session
  readonly #snapshot: Snapshot
  readonly #lines: readonly Line[]
  readonly #signsOfLife: readonly Line[]
  readonly #forReaders: readonly Line[]
  readonly #json: Publishing['json']
  #hasReaders: boolean
  readonly #others: readonly Line[]
  readonly #batch: Line['entry'][] = []
  /** The snapshot's arrays as they were when a frame was last written; undefined: not known to have arrived. */
  #arrays: Snapshot['arrays'] | undefined
  /** What each frame with those arrays brings. */
  #steady: readonly Line['entry'][] = []

  /** json: when there is what is written for readers only. */
  constructor(
    session: Nt4Session,
    table: string,
    snapshot: Snapshot,
    json: Publishing['json'] = DEFAULT_PUBLISHING.json,
  ) {
    this.#session = session
    this.#snapshot = snapshot
    this.#json = json
    this.#hasReaders = json !== 'never' // unless the server tells otherwise
    const topics = EXTCAM_TOPICS.filter(({ occasion }) => occasion !== 'reader' || json !== 'never')
    this.#lines = topics.map((topic) => lineOf(topic, () => session.publish(`/${table}/${topic.key}`, topic.type)))
    for (const { topic, publish } of this.#lines) if (topic.occasion !== 'beside') publish()
    this.#signsOfLife = this.#lines.filter(({ topic }) => topic.occasion === 'always')
    this.#forReaders = this.#lines.filter(({ topic }) => topic.occasion === 'reader')
    this.#others = this.#lines.filter(({ topic }) => topic.occasion !== 'frame')
  }

  /** Whether what is written for readers only is written now. */
  get hasReaders(): boolean {
    return this.#hasReaders
  }

  /**
   * Calls back when readers come or go of what is written for readers only, where that matters. A server that tells
   * nothing of them has some. Returns the way to stop that.
   */
  watchReaders(changed: (hasReaders: boolean) => void): () => void {
    const [line] = this.#forReaders
    return line && this.#json === 'subscribed' ? this.#session.onReaders(line.entry[0], changed) : () => {}
  }

  /**
   * Readers have come: they get the newest frame's now, with its time stamp. The last has gone: the server is to keep
   * for later readers what a camera says that sees nothing; what it saw would be a measurement from long ago by then.
   */
  setReaders(hasReaders: boolean): void {
    this.#hasReaders = hasReaders
    this.#batch.length = 0
    for (const line of this.#forReaders) {
      line.written = undefined
      this.#putForReaders(line)
    }
    this.#send(this.#snapshot.times.ntUs)
  }

  /**
   * All that a new frame has to say. Half of the topics need not be looked at when it shows as many tags as the one
   * before. False: the robot has none of it, since it does not read.
   */
  writeFrame(timestampUs: number): boolean {
    const { arrays } = this.#snapshot
    const isSteady = arrays === this.#arrays
    this.#batch.length = 0
    if (isSteady) for (const entry of this.#steady) this.#batch.push(entry)
    for (const line of isSteady ? this.#others : this.#lines) this.#put(line)
    if (!isSteady) {
      this.#arrays = arrays
      this.#steady = this.#lines.filter(isBrought).map(({ entry }) => entry)
    }
    return this.#send(timestampUs)
  }

  #put(line: Line): void {
    if (line.topic.occasion === 'reader') {
      this.#putForReaders(line)
      return
    }
    const value = topicValue(this.#snapshot, line.topic.key)
    if (line.topic.occasion === 'beside' && isNothing(line, value)) return
    if (isKnown(line, value)) return
    line.publish()
    line.entry[1] = value
    this.#batch.push(line.entry)
  }

  /** Without readers only until the robot has it. */
  #putForReaders(line: Line): void {
    if (!this.#hasReaders && line.written !== undefined) return
    line.entry[1] = topicValue(this.#hasReaders ? this.#snapshot : this.#snapshot.ofNothing(), line.topic.key)
    line.written = line.entry[1]
    this.#batch.push(line.entry)
  }

  /** Heartbeat and latencies only: to write a frame twice would make a second measurement of it. */
  writeSignOfLife(timestampUs: number): void {
    this.#batch.length = 0
    for (const line of this.#signsOfLife) {
      line.entry[1] = topicValue(this.#snapshot, line.topic.key)
      this.#batch.push(line.entry)
    }
    this.#send(timestampUs)
  }

  /** Another publisher has written the table: what the robot has is not known. */
  forget(): void {
    for (const line of this.#lines) line.written = undefined
    this.#arrays = undefined
  }

  /** All that does not describe a frame, as it is now. */
  writeBesideFrame(timestampUs: number): void {
    this.#batch.length = 0
    for (const line of this.#others) this.#put(line)
    this.#send(timestampUs)
  }

  unpublish(): void {
    for (const { entry } of this.#lines) if (entry[0] !== UNPUBLISHED) this.#session.unpublish(entry[0])
  }

  #send(timestampUs: number): boolean {
    const isTaken = this.#session.write(this.#batch, timestampUs)
    if (!isTaken) this.forget()
    return isTaken
  }
}

/** Of a topic that the server was not told of. */
const UNPUBLISHED = -1

const lineOf = (topic: ExtcamTopic, publish: () => number): Line => {
  const entry: Line['entry'] = [UNPUBLISHED, 0]
  return {
    topic,
    entry,
    publish: () => {
      if (entry[0] === UNPUBLISHED) entry[0] = publish()
    },
    written: undefined,
  }
}

/** Whether it has no value, and never had one. */
const isNothing = ({ entry }: Line, value: Value): boolean =>
  entry[0] === UNPUBLISHED && value instanceof Float64Array && value.length === 0

/** Whether a frame with the same arrays as the last one brings it: not the empty ones, which the robot has. */
const isBrought = ({ topic, written }: Line): boolean => topic.occasion === 'frame' && written === undefined

/** Whether the robot has the value and needs no update; if not, remembers that it gets it now. */
const isKnown = (line: Line, value: Value): boolean => {
  const isArray = value instanceof Float64Array
  if (line.topic.occasion === 'change') {
    if (line.written !== undefined && isSame(line.written, value)) return true
    line.written = isArray ? value.slice() : value
  } else if (isArray) {
    const isEmpty = value.length === 0
    if (isEmpty && line.written !== undefined) return true
    line.written = isEmpty ? value : undefined
  }
  return false
}

const isSame = (a: Value, b: Value): boolean => {
  if (!(a instanceof Float64Array && b instanceof Float64Array)) return a === b
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
