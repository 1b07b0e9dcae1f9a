// One viewer of live pictures, from its request until it leaves. Its socket is written to by the stream's engine where
// that can be, and from here where it cannot.
import type { Socket } from 'node:net'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import type { Sent } from '../../../machines/stream/picture.ts'
import { type HalfPart, restOf, settled } from '../../../machines/viewers/record.ts'
import {
  afterEvent,
  isWrittenHere,
  newViewer,
  type ViewerEvent,
  type ViewerState,
} from '../../../machines/viewers/viewer.ts'
import type { HeldViewer, ViewerEnd, ViewerHandover } from '../../../native/viewers/port.ts'
import { END_OF_PART, FIRST_BOUNDARY } from './picture-part.ts'
import { type Look, play, STALL_LIMIT_MS } from './play.ts'

const NOTHING = new Uint8Array(0)
const BOUNDARY_BYTES = Buffer.from(END_OF_PART)

/** What a viewer sees, and of which stream. */
export interface View extends Look {
  readonly stream: StreamRuntime
}

/** A viewer whose answer has its head. Everything of it goes with its socket. */
export class Viewer {
  readonly #socket: Socket
  readonly #view: View
  readonly #stopListening: readonly (() => void)[]
  #state: ViewerState = newViewer
  #held: HeldViewer | undefined
  #stopPlaying: (() => void) | undefined

  constructor(socket: Socket, view: View) {
    this.#socket = socket
    this.#view = view
    const { stream, watch } = view
    watch.measure(() => this.#sent())
    socket.write(FIRST_BOUNDARY)
    socket.once('close', () => this.#on({ type: 'ended' }))
    this.#stopListening = [
      stream.onDeleted(() => this.end()),
      stream.engine.handover.subscribe((handover) =>
        this.#on({ type: handover ? 'handover.available' : 'handover.unavailable' }),
      ),
    ]
    if (stream.engine.handover.value) this.#on({ type: 'handover.available' })
    if (isWrittenHere(this.#state)) this.#write()
  }

  /** Where it is now. */
  get at(): ViewerState['at'] {
    return this.#state.at
  }

  /** Ends the connection; what was begun may still arrive. */
  end(): void {
    this.#letGo()
    this.#socket.destroySoon() // ends the connection itself, though an engine has it open as well
  }

  #on(event: ViewerEvent): void {
    if (event.type === 'handover.available' && 'encrypted' in this.#socket) return
    const before = this.#state
    this.#state = afterEvent(before, event)
    if (this.#state === before) return
    const { watch } = this.#view
    if (isWrittenHere(this.#state)) this.#write()
    else this.#stopWriting()
    watch.deliver(isWrittenHere(this.#state))
    if (this.#state.at === 'handing-over' && before.at !== 'handing-over') this.#handOver()
    if (this.#state.at === 'ended') this.#release()
  }

  #write(): void {
    this.#stopPlaying ??= play(this.#socket, this.#view)
  }

  #stopWriting(): void {
    this.#stopPlaying?.()
    this.#stopPlaying = undefined
  }

  #handOver(): void {
    const handover = this.#view.stream.engine.handover.value
    if (handover) this.#whenFlushed(() => void this.#hold(handover))
  }

  /** Once the kernel has all that was written; a viewer who takes nothing for too long is let go. */
  #whenFlushed(then: () => void): void {
    this.#socket.setTimeout(STALL_LIMIT_MS)
    this.#socket.write(NOTHING, () => {
      this.#socket.setTimeout(0)
      then()
    })
  }

  async #hold(handover: ViewerHandover): Promise<void> {
    const isWanted = () => this.#state.at === 'handing-over' && this.#view.stream.engine.handover.value === handover
    if (!isWanted()) return
    const held = await handover.hold(this.#socket)
    if (!isWanted()) return isFault(held) ? undefined : held.release()
    if (isFault(held)) return this.#on({ type: 'not-held' })
    if (this.#state.at === 'handing-over' && this.#state.owed) {
      this.#settle(settled(this.#state.owed, held.positionBytes))
      this.#on({ type: 'settled' })
    }
    this.#whenFlushed(() => {
      if (!isWanted()) return held.release()
      this.#held = held
      this.#on({ type: 'held' })
      const { watch, fps, placeholder } = this.#view
      const look = { key: watch.key, fps, boundary: END_OF_PART, stall_limit_ms: STALL_LIMIT_MS }
      held.start({ ...look, output: placeholder.output }, (end) => this.#left(end))
      if (placeholder.jpeg) handover.showInstead(placeholder.jpeg, placeholder.output)
    })
  }

  #left(end: ViewerEnd): void {
    this.#held = undefined
    if (end.why === 'engine') {
      if (end.owed?.sentBytes !== undefined) this.#settle(end.owed)
      this.#on({ type: 'engine.ended', owed: end.owed })
    } else if (end.why === 'stalled')
      this.#socket.resetAndDestroy() // nobody takes what the kernel still has for it
    else this.#socket.destroy()
  }

  /** Ends the part that an engine left half done. */
  #settle(part: HalfPart): void {
    const rest = restOf(part, BOUNDARY_BYTES)
    if (rest) this.#socket.write(rest)
    else this.#socket.destroy() // it could not make anything of what follows
  }

  /** The kernel's count is that of the whole connection, like ours. */
  #sent(): Sent {
    return this.#held?.sent() ?? { bytes: this.#socket.bytesWritten, picture_bytes: null }
  }

  #letGo(): void {
    this.#held?.release()
    this.#held = undefined
  }

  #release(): void {
    this.#letGo()
    for (const stop of this.#stopListening) stop()
    this.#view.watch.release()
  }
}
