// What a listener is told beside events, and how it says which event it saw last.

import { eventExample, eventSchema } from '../../machines/events/event.ts'
import type { EventKind } from '../../machines/events/kind.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import type { FeedMessage } from '../endpoints/endpoint.ts'

const strict = { additionalProperties: false } as const
const Epoch = Type.String({ description: 'Another one at each start of the service.' })
const Newest = Type.Integer({ minimum: 0, description: 'The number of the newest event; 0 before the first.' })

const hello = {
  kind: Type.Literal('hello'),
  epoch: Epoch,
  seq: Newest,
  resumed: Type.Boolean({ description: 'true: what was missed follows. false: `reset` follows.' }),
}

const ABOUT_HELLO = 'The first message of every connection.'

const Hello = Type.Object(hello, { ...strict, title: 'Hello', description: ABOUT_HELLO })

const helloExample = { kind: 'hello', epoch: 'k3v9x1', seq: 11, resumed: true }

const DeviceHello = Type.Object(
  {
    ...hello,
    tells_time: Type.Optional(
      Type.Boolean({
        description: 'Whether it answers `clock_question`. Older versions do not say it, and answer none.',
      }),
    ),
  },
  { ...strict, title: 'DeviceHello', description: ABOUT_HELLO },
)

/** The hello of a feed that nobody asks anything. */
export const PLAIN_HELLO: FeedMessage = { name: 'hello', schema: Hello, example: helloExample }

/** The hello for devices. */
export const DEVICE_HELLO: FeedMessage = {
  name: 'hello',
  schema: DeviceHello,
  example: { ...helloExample, tells_time: true },
}

const Reset = Type.Object(
  { kind: Type.Literal('reset'), epoch: Epoch, seq: Newest },
  { ...strict, title: 'Reset', description: 'Read everything again; what comes next is what follows `seq`.' },
)

/** Says that the feed is alive, to who asked for that. */
export const BEAT = { kind: 'beat' } as const

/** It, for the documents. */
export const BEAT_MESSAGE: FeedMessage = {
  name: 'beat',
  schema: Type.Object(
    { kind: Type.Literal('beat') },
    { ...strict, title: 'Beat', description: 'Nothing has happened but that the feed is alive. Told with `beats`.' },
  ),
  example: BEAT,
}

/** Every sort of message on a feed of events of these kinds. */
export const eventMessages = (kinds: readonly EventKind[], hello = PLAIN_HELLO): readonly FeedMessage[] => [
  hello,
  { name: 'reset', schema: Reset, example: { kind: 'reset', epoch: 'k3v9x1', seq: 11 } },
  ...kinds.map((each) => ({ name: each.kind, schema: eventSchema(each), example: eventExample(each) })),
]

/** Where a client was that comes back. */
export const resumeQuery = {
  since: Type.Optional(Type.Integer({ minimum: 0, description: 'The `seq` of the last event seen.' })),
  epoch: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The `epoch` of that event.' })),
}

/** How it is answered, for the documents. */
export const ABOUT_RESUMING = oneLine`
  The first message is \`hello\`. A client that comes back with the \`seq\` and \`epoch\` of the last event it saw
  then gets what it missed; any other, and one that was away for too long, gets \`reset\`. After that each event comes
  as it happens. A client that is more than 1 MiB behind is closed with 1013 and may come back in this way.
`
