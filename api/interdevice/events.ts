// What other devices hear of what happens here.
import type { EventBus } from '../../actors/events/event-bus.ts'
import type { EventDocument } from '../../machines/events/event.ts'
import type { EventKind } from '../../machines/events/kind.ts'
import { RETOLD, TOLD_TO_DEVICES } from '../../machines/events/retold.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'
import { EventFeed } from '../events/event-feed.ts'
import { asJson, asMessagePack } from '../events/event-form.ts'
import { ABOUT_RESUMING, eventMessages, resumeQuery } from '../events/event-messages.ts'

/** The subprotocol in which messages are MessagePack instead of JSON. */
const MESSAGE_PACK = 'vedette.events.msgpack'

const PING_EVERY_MS = 5_000
const SILENT_PINGS = 3 // a link that is silent for 15 s is stale

/** What came from another device is not told to devices: it would go round for ever between two that follow each other. */
const isTold = ({ kind, resource_ref }: EventDocument): boolean =>
  RETOLD.has(kind) ? !Object.hasOwn(resource_ref, 'peer_id') : TOLD_TO_DEVICES.has(kind)

/** Those who listen, until the server stops. */
export const deviceEvents = (events: EventBus): EventFeed =>
  new EventFeed({ events, pingEveryMs: PING_EVERY_MS, silentPings: SILENT_PINGS, tells: isTold })

/** kinds: all that there are. */
export const eventRow = (listeners: EventFeed, kinds: readonly EventKind[]): Endpoint =>
  feed('GET', '/v1/interdevice/events', {
    summary: 'What happens here, for other devices',
    about: `${ABOUT_RESUMING} Numbers rise, and some are missing: those of events that are not told here, such as what came from another device. A ping comes every 5 s; who answers none of three is cut off.`,
    access: 'peer',
    query: resumeQuery,
    protocols: [{ name: MESSAGE_PACK, about: 'the same documents as MessagePack, in binary messages.' }],
    messages: eventMessages(kinds.filter(({ kind }) => TOLD_TO_DEVICES.has(kind))),
    accept: ({ query, request }, socket) => {
      const form = socket.protocol === MESSAGE_PACK ? asMessagePack : asJson
      listeners.accept({ socket, connection: request.socket, form }, query)
    },
  })
