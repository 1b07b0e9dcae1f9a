// All who listen at one path to what is found in frames.
import { leavesDevice } from '../../../machines/bandwidth/budget.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import type { Given } from '../../../machines/token.ts'
import { onlyListens } from '../../connections/connections.ts'
import type { previewNeeds } from '../preview/show-preview.ts'
import { type ResultEnds, type ResultListenerParts, type ResultLook, ResultSocket } from './result-feed.ts'

const TRY_AGAIN_LATER = 1013
const DEFAULT_RATE_PER_S = 10

/** At a path. They take no place of those who watch pictures, which cost a hundred times as much. */
export const MAX_RESULT_LISTENERS = 64

/** What they are served with. */
export interface ResultListenersParts extends ResultListenerParts {
  readonly budget: Given<typeof previewNeeds>['budget']
}

/** What one asks for. */
export type AskedResults = Omit<ResultLook, 'isMetered' | 'ratePerS'> & {
  /** Default: 10. */
  readonly ratePerS: number | undefined
}

/** Those who listen, until they leave or the server stops. */
export class ResultListeners {
  readonly #parts: ResultListenersParts
  readonly #sockets = new Set<ResultSocket>()

  constructor(parts: ResultListenersParts) {
    this.#parts = parts
  }

  /** Why there is no room for another one; undefined: there is. */
  full(): Fault | undefined {
    return this.#sockets.size < MAX_RESULT_LISTENERS
      ? undefined
      : { code: 'viewer.too_many', detail: `${MAX_RESULT_LISTENERS} listen to what is found; close one first` }
  }

  /** Lets one in. */
  accept(ends: ResultEnds, { ratePerS = DEFAULT_RATE_PER_S, ...asked }: AskedResults): void {
    const { socket, connection } = ends
    if (connection.closed) return
    // others may have come since it was let in
    if (this.full()) {
      socket.close(TRY_AGAIN_LATER, 'there is no room for another one who listens')
      return
    }
    onlyListens(connection)
    const isMetered = this.#parts.budget.mbit_s !== null && leavesDevice(connection)
    const listener = new ResultSocket(this.#parts, ends, { ...asked, ratePerS, isMetered })
    this.#sockets.add(listener)
    connection.once('close', () => this.#sockets.delete(listener))
  }

  /** Sends all away. */
  close(): void {
    for (const listener of this.#sockets) listener.end()
  }
}
