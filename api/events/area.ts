// The event feed: every published fact, to every WebSocket that listens.
import { DIRECTORY } from '../../actors/directory.ts'
import { EVENT_KINDS } from '../../machines/events/kind.ts'
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'
import { EventFeed } from './event-feed.ts'
import { ABOUT_RESUMING, eventMessages, resumeQuery } from './event-messages.ts'
import { resourceFinder, resourceNeeds } from './resources.ts'

const needs = { directory: DIRECTORY, kinds: EVENT_KINDS, ...resourceNeeds }

const PING_EVERY_MS = 20_000

export const eventArea = areaOf(needs, ({ directory, kinds, ...resources }) => {
  const shown = resourceFinder(resources)
  const events = new EventFeed({ events: directory.events, pingEveryMs: PING_EVERY_MS, silentPings: 1, shown })
  const table = area('events', 'What happens, as it happens.', [
    feed('GET', '/v1/events', {
      summary: 'Events as they happen',
      about: ABOUT_RESUMING,
      query: resumeQuery,
      messages: eventMessages(kinds),
      accept: ({ query, request }, socket) => {
        events.accept({ socket, connection: request.socket }, query)
        socket.once('close', directory.events.attend())
      },
    }),
  ])
  return { ...table, close: () => events.close() }
})
