// The event feed: every published fact, to every WebSocket that listens.
import { DIRECTORY } from '../../actors/directory.ts'
import { EVENT_KINDS } from '../../machines/events/kind.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { areaOf } from '../endpoints/area.ts'
import { area } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'
import { EventFeed } from './event-feed.ts'
import { ABOUT_RESUMING, BEAT_MESSAGE, eventMessages, resumeQuery } from './event-messages.ts'
import { resourceFinder, resourceNeeds } from './resources.ts'

const needs = { directory: DIRECTORY, kinds: EVENT_KINDS, ...resourceNeeds }

const PING_EVERY_MS = 20_000

const beats = Type.Optional(Type.Boolean({ description: 'Whether `beat` comes every 5 s. Default: false.' }))

const ABOUT_BEATS = oneLine`
  Who cannot see the pings of a WebSocket, as a script in a browser, asks for \`beats\`: where none comes for some time
  the device is gone, though nobody has closed the connection.
`

export const eventArea = areaOf(needs, ({ directory, kinds, ...resources }) => {
  const shown = resourceFinder(resources)
  const events = new EventFeed({ events: directory.events, pingEveryMs: PING_EVERY_MS, silentPings: 1, shown })
  const table = area('events', 'What happens, as it happens.', [
    feed('GET', '/v1/events', {
      summary: 'Events as they happen',
      about: `${ABOUT_RESUMING} ${ABOUT_BEATS}`,
      query: { ...resumeQuery, beats },
      messages: [...eventMessages(kinds), BEAT_MESSAGE],
      accept: ({ query: { beats: hasBeats = false, ...seen }, request }, socket) => {
        events.accept({ socket, connection: request.socket, hasBeats }, seen)
        socket.once('close', directory.events.attend())
      },
    }),
  ])
  return { ...table, close: () => events.close() }
})
