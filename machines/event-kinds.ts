// All kinds of events that the service publishes: a new kind is one line here.
import { errorRecorded, errorsCleared } from './errors/events.ts'
import type { EventKind } from './events/kind.ts'
import { nt4Changed } from './nt4/events.ts'
import { streamChanged, streamState } from './stream/events.ts'

/** In the order of docs/api.md. */
export const eventKinds: readonly EventKind[] = [streamChanged, streamState, nt4Changed, errorRecorded, errorsCleared]
