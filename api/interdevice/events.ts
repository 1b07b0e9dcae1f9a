// What other devices hear of what happens here.

import type { EventBus } from '../../actors/events/event-bus.ts'
import type { EventDocument } from '../../machines/events/event.ts'
import type { EventKind } from '../../machines/events/kind.ts'
import { EVENTS_FOR_DEVICES, RELAYED_EVENTS } from '../../machines/events/relayed-events.ts'
import { ClockQuestion, ClockReading } from '../../machines/interdevice/clock-reading.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'
import { EventFeed } from '../events/event-feed.ts'
import { asJson, asMessagePack } from '../events/event-form.ts'
import { ABOUT_RESUMING, DEVICE_HELLO, eventMessages, resumeQuery } from '../events/event-messages.ts'
import { answerAboutClock } from './clock-answers.ts'

/** The subprotocol in which messages are MessagePack instead of JSON. */
const MESSAGE_PACK = 'vedette.events.msgpack'

const PINGS = { pingEveryMs: 5_000, silentPings: 3 } // a link that is silent for 15 s is stale

/**
 * What came from another device is not told to devices: it would go round for ever between two that follow each other.
 */
const isTold = ({ kind, resource_ref }: EventDocument): boolean =>
  RELAYED_EVENTS.has(kind) ? !Object.hasOwn(resource_ref, 'peer_id') : EVENTS_FOR_DEVICES.has(kind)

/** Those who listen, until the server stops. */
export const deviceEvents = (events: EventBus): EventFeed =>
  new EventFeed({ events, ...PINGS, tells: isTold, hello: { tells_time: true } })

/** kinds: all that there are. */
export const eventRow = (
  listeners: EventFeed,
  kinds: readonly EventKind[],
  clock: Pick<Clock, 'monotonicUs'>,
): Endpoint =>
  feed('GET', '/v1/interdevice/events', {
    summary: 'What happens here, for other devices',
    about: oneLine`
      ${ABOUT_RESUMING} Numbers rise, and some are missing: those of events that are not told here, such as what came
      from another device. A ping comes every 5 s; who answers none of three is cut off. A device that works on pictures
      from here may ask where the clock stands by which they are stamped (\`clock_question\`).
    `,
    access: 'peer',
    query: resumeQuery,
    protocols: [{ name: MESSAGE_PACK, about: 'the same documents as MessagePack, in binary messages.' }],
    messages: [
      ...eventMessages(
        kinds.filter(({ kind }) => EVENTS_FOR_DEVICES.has(kind)),
        DEVICE_HELLO,
      ),
      { name: 'clock', schema: ClockReading, example: { kind: 'clock', number: 1, monotonic_us: 86_400_000_000 } },
    ],
    questions: [{ name: 'clock_question', schema: ClockQuestion, example: { kind: 'clock_question', number: 1 } }],
    accept: ({ query, request }, socket) => {
      const form = socket.protocol === MESSAGE_PACK ? asMessagePack : asJson
      const listener = { socket, connection: request.socket, form }
      answerAboutClock(listener, clock)
      listeners.accept(listener, query)
    },
  })
