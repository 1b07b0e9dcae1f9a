// Pages that look at a plugin, and hear what its program says to its panels and what it prints. Of one that takes
// messages too slowly some are left out.
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { PluginPanels } from '../../machines/plugins/panel/plugin-panels.ts'
import { onlyListens } from '../connections/connections.ts'
import { sayGoodbye } from '../connections/goodbye.ts'

/** At the device. */
export const MAX_PANELS = 32

const MAX_BEHIND_BYTES = 262_144 // four of the longest messages

export class PanelListeners {
  readonly #panels: PluginPanels
  readonly #open = new Set<WebSocket>()

  constructor(panels: PluginPanels) {
    this.#panels = panels
  }

  get isFull(): boolean {
    return this.#open.size >= MAX_PANELS
  }

  /** Tells a socket what the program of a plugin says, from now on. */
  accept(name: string, socket: WebSocket, connection: Socket): void {
    onlyListens(connection)
    this.#open.add(socket)
    const tell = (said: object) => {
      if (socket.readyState !== socket.OPEN || socket.bufferedAmount > MAX_BEHIND_BYTES) return
      socket.send(JSON.stringify(said))
    }
    const stops = [
      this.#panels.listen(name, (message) => tell({ kind: 'message', message })),
      this.#panels.listenToLines(name, (line) => tell({ kind: 'line', line })),
    ]
    connection.once('close', () => {
      this.#open.delete(socket)
      for (const stop of stops) stop()
    })
  }

  /** Says goodbye to all. */
  close(): void {
    for (const socket of this.#open) sayGoodbye(socket, 'the service ends')
  }
}
