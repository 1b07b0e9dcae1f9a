// A client of the events, as a page is one.
import { once } from 'node:events'
import WebSocket from 'ws'
import type { EventDocument } from '../../../machines/events/event.ts'
import type { Lifetime } from '../lifetime.ts'
import { arrival } from '../until.ts'

/** A message of the feed: an event, a hello or a reset. */
export type EventMessage = Pick<EventDocument, 'kind' | 'seq' | 'epoch'> & Partial<EventDocument>

/** Listens until the test ends. query: where it was, as `?since=2&epoch=e1`. */
export const listenToEvents = async (t: Lifetime, url: string, query = '') => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/events${query}`)
  t.after(() => socket.terminate())
  const messages: EventMessage[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await arrival('an open feed', once(socket, 'open'))
  return { socket, messages }
}
