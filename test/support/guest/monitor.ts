// What QEMU itself is asked and told: to plug in, to pull out, to cut a cable. One question at a time.
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'

interface Said {
  readonly return?: unknown
  readonly error?: { readonly desc: string }
  readonly QMP?: unknown
  readonly event?: string
}

/** A conversation in its protocol, QMP. */
export class Monitor {
  readonly #socket: Socket
  readonly #lines: AsyncIterator<string>
  #last: Promise<unknown>

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => {}) // the machine has ended; what waits for an answer says so
    this.#lines = createInterface(socket)[Symbol.asyncIterator]()
    this.#last = this.#exchange({ execute: 'qmp_capabilities' })
    this.#last.catch(() => {}) // the question that follows says so
  }

  /** The answer to a command; fails with what QEMU says against it. */
  ask(command: string, args: object = {}): Promise<unknown> {
    const answer = this.#last.then(() => this.#exchange({ execute: command, arguments: args }))
    this.#last = answer.catch(() => {})
    return answer
  }

  close(): void {
    this.#socket.destroy()
  }

  async #exchange(order: object): Promise<unknown> {
    this.#socket.write(`${JSON.stringify(order)}\n`)
    while (true) {
      const { done, value } = await this.#lines.next()
      if (done) throw new Error('the machine has ended')
      const said = JSON.parse(value) as Said
      if (said.error) throw new Error(said.error.desc)
      if (said.return !== undefined) return said.return // else it greets, or tells what happened
    }
  }
}
