// What people put beside an item: a label, measurements of an IMU. Each is checked while it arrives, and put in its
// place when it is whole.
import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { TextDecoder } from 'node:util'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { Attachable, MediaItem } from '../../machines/media/item.ts'
import { classNamesChecker, imuChecker, type LineChecker, labelChecker } from '../../machines/media/side-car-lines.ts'
import type { LeftBehind } from '../../machines/requests/request.ts'
import { staleFault } from '../../machines/settings/commit.ts'
import { Arrival } from './arrival.ts'
import type { SideCarUpload } from './port.ts'
import type { StoreInternals } from './store-internals.ts'

/**
 * An hour of a fast IMU at 500 Hz has 90 MB; a label names what is to be seen in one picture, or in each of a
 * recording.
 */
const MAX_BYTES: Readonly<Record<Attachable, number>> = { label: 1024 * 1024, imu: 128 * 1024 * 1024 }

const checkerOf = (part: Attachable, { kind }: MediaItem): LineChecker => {
  if (part === 'imu') return imuChecker()
  return kind === 'model' ? classNamesChecker() : labelChecker()
}

interface Place {
  readonly name: string
  readonly part: Attachable
}

/** See the port. */
export const attach = async (
  store: StoreInternals,
  place: Place,
  { expected_revisions, ...arriving }: SideCarUpload,
): Promise<LeftBehind | Fault> => {
  const { name, part } = place
  const expected = expected_revisions ? { expected_revisions } : {}
  const arrival = new Arrival(arriving, { ...store.patience, maxBytes: MAX_BYTES[part] })
  const path = store.folder.coming(`${name}.${randomUUID()}`, part)
  try {
    const comingUp = await store.whenReady() // what lies among the incoming before that is a leftover, and thrown away
    if (comingUp) return comingUp
    const item = await store.get(name)
    if (isFault(item)) return item
    const stale = staleFault(`media/${name}`, item.revision, expected) // before all of it has come
    if (stale) return stale
    const full = await store.makeRoomBeside(arriving.length ?? 0)
    if (full) return full
    const facts = await store.attempt(written(path, arrival, checkerOf(part, item)))
    // not all senders say how much will come, and others write meanwhile
    const fault = isFault(facts) ? facts : await store.makeRoomBeside(0)
    const change = { ...place, ...expected, type: 'media.attach', path } as const
    const done = fault ?? (await store.carryOut({ ...change, ...(facts as Written) }))
    if (isFault(done)) await store.folder.discard(path)
    return done
  } finally {
    arrival.close()
  }
}

interface Written {
  readonly media_type: string
  readonly size_bytes: number
}

const written = async (path: string, arrival: Arrival, checker: LineChecker): Promise<Written | Fault> => {
  await using file = await open(path, 'wx')
  let size_bytes = 0
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (;;) {
    const piece = await arrival.next()
    if (isFault(piece)) return piece
    const text = decoded(decoder, piece)
    const fault = text === undefined ? NO_TEXT : piece ? checker.take(text) : checker.end(text)
    if (fault) return fault
    if (!piece) {
      await file.sync()
      return { media_type: checker.mediaType(), size_bytes }
    }
    await file.writeFile(piece)
    size_bytes += piece.length
  }
}

const decoded = (decoder: TextDecoder, piece: Buffer | undefined): string | undefined => {
  try {
    return decoder.decode(piece, { stream: piece !== undefined })
  } catch {
    return undefined
  }
}

const NO_TEXT: Fault = { code: 'media.invalid', detail: 'this cannot be stored: it is no text in UTF-8' }
