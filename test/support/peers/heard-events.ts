// What a real daemon tells of, heard over its own socket.
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import WebSocket from 'ws'
import type { EventDocument } from '../../../machines/events/event.ts'
import type { Daemon } from '../processes/daemon.ts'
import { arrival } from '../until.ts'

/** All that it tells from now on, until the test ends. */
export const eventsOf = async (t: TestContext, { url }: Pick<Daemon, 'url'>): Promise<readonly EventDocument[]> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/events`)
  t.after(() => socket.terminate())
  const events: EventDocument[] = []
  socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString())))
  await arrival('an open socket', once(socket, 'open'))
  return events
}
