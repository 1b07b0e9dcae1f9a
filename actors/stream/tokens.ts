// What the room of streams offers to others.
import { token } from '../../machines/token.ts'
import type { StreamDesk } from './stream-desk.ts'

/** A desk for each stored stream by id, in order of creation. */
export const STREAM_DESKS = token<ReadonlyMap<string, StreamDesk>>('stream-desks')
