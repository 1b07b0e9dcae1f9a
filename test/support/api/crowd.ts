// Many connections at once, as a careless or hostile client opens them.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { arrival } from '../until.ts'

/** Where a crowd comes from and what each of it says; nothing: it only connects. */
export interface Manners {
  readonly from?: string
  readonly to?: string
  readonly says?: string
}

/** Opens connections one after the other; they end with the test, or when the server ends them. */
export const crowd = async (
  t: TestContext,
  port: number,
  count: number,
  { from = '127.0.0.1', to = '127.0.0.1', says }: Manners = {},
): Promise<readonly Socket[]> => {
  const sockets: Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let n = 0; n < count; n += 1) {
    const socket = connect({ port, host: to, localAddress: from })
    socket.on('error', () => {}) // cut off
    sockets.push(socket)
    await arrival(`connection ${n + 1} of ${count}`, once(socket, 'connect'))
    if (says !== undefined) socket.write(says)
  }
  return sockets
}

/** How many of a crowd are still connected. */
export const stillThere = (sockets: readonly Socket[]): number => sockets.filter(({ closed }) => !closed).length
