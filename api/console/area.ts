// The console of the device: sessions, each a program on a terminal, and the stream of what it shows.
import { CONSOLES } from '../../actors/console/tokens.ts'
import { consoleChanged } from '../../machines/console/events.ts'
import {
  ConsoleAttached,
  ConsoleDrawn,
  ConsoleEnded,
  ConsoleRefused,
  ConsoleResize,
  ConsoleSignalOrder,
  ConsoleTakenOver,
  ConsoleWindow,
  consoleWordExamples,
} from '../../machines/console/messages.ts'
import {
  ConsoleSession,
  ConsoleSessionId,
  consoleSessionExample,
  DeviceConsole,
  deviceConsole,
  MAX_CONSOLE_SESSIONS,
  NewConsoleSession,
} from '../../machines/console/session.ts'
import { isFault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { sendDocument, sendEmpty } from '../endpoints/answer.ts'
import { areaOf } from '../endpoints/area.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'
import { list } from '../endpoints/list.ts'
import { read } from '../endpoints/read.ts'
import { sendProblem } from '../problems/problem.ts'
import { ConsoleStream, ConsoleStreams } from './stream.ts'

const params = { session_id: ConsoleSessionId }

const Shown = Type.String({
  title: 'ConsoleShown',
  description: 'What the terminal shows, byte for byte; a character may be cut in two.',
})
const Typed = Type.String({ title: 'ConsoleTyped', description: 'What is typed, byte for byte.' })
const BYTES = 'application/octet-stream'

export const consoleArea = areaOf({ consoles: CONSOLES }, ({ consoles }) => {
  const streams = new ConsoleStreams()
  const rows = [
    read('GET', '/v1/device/console', {
      summary: 'The console of the device',
      about: 'Whether a shell can be had through this service, as whom it runs, and if not, how it is turned on.',
      answer: DeviceConsole,
      example: deviceConsole(true, {
        user: 'vedette',
        programs: ['shell', 'top', 'log'],
        absent: null,
        hasNoNewRights: true,
      }),
      get: () => consoles.device(),
    }),

    list<ConsoleSession>('GET', '/v1/console/sessions', {
      summary: 'The console sessions',
      access: 'console',
      name: 'ConsoleSessions',
      item: ConsoleSession,
      example: consoleSessionExample,
      order: 'In the order in which they were started.',
      items: () => consoles.all(),
      keyOf: ({ session_id }) => session_id,
      faults: ['console.failed'],
    }),

    custom('POST', '/v1/console/sessions', {
      because: 'a session is no document: it is started, and gone when its program is',
      summary: 'Start a console session',
      about: oneLine`
        Answers when its program runs. At most ${MAX_CONSOLE_SESSIONS} at a time. It ends with its program, when it is
        deleted, a quarter of an hour after its last viewer has left, and when nothing was typed for an hour. Its start,
        its end and each viewer are written into the log; what is typed and shown is not.
      `,
      access: 'console',
      body: { schema: NewConsoleSession, example: { program: 'shell', columns: 120, rows: 40 }, optional: true },
      answer: {
        status: 'ok',
        mediaType: 'application/json',
        schema: ConsoleSession,
        example: consoleSessionExample,
        headers: { Location: 'Of the session: where it is ended.' },
      },
      publishes: [consoleChanged],
      serve: async ({ body, request }, reply) => {
        const session = await consoles.create(body ?? {}, request.ip)
        if (!isFault(session)) reply.header('location', `/v1/console/sessions/${session.session_id}`)
        return sendDocument(reply, 'ok', session)
      },
      faults: ['console.failed', 'console.too_many'],
    }),

    custom('DELETE', '/v1/console/sessions/:session_id', {
      because: 'a session is no document: all that it has started is ended',
      summary: 'End a console session',
      about: oneLine`
        Answers when its program and all that it has started are gone, in the background too. What does not heed that
        its terminal is gone is killed after half a second.
      `,
      access: 'console',
      params,
      answer: { status: 'empty' },
      publishes: [consoleChanged],
      serve: async ({ params: { session_id }, request }, reply) => {
        const fault = await consoles.end(session_id, request.ip)
        return fault ? sendProblem(reply, fault) : sendEmpty(reply, null)
      },
      faults: ['console.not_found'],
    }),

    feed('GET', '/v1/console/sessions/:session_id/stream', {
      summary: 'The terminal of a console session',
      about: oneLine`
        Bytes both ways in binary messages, of at most 4096 bytes towards the service; orders in text messages. It
        begins with what the terminal has shown lately, up to 256 KiB. One client is attached at a time: another one
        takes its place. Who leaves may come back, and the program goes on meanwhile. A program that writes faster than
        its client reads waits; a client that takes nothing for 30 s is cut off.
      `,
      access: 'console',
      params,
      query: { window_bytes: Type.Optional(ConsoleWindow) },
      messages: [
        { name: 'attached', schema: ConsoleAttached, example: consoleWordExamples.attached },
        { name: 'shown', schema: Shown, mediaType: BYTES },
        { name: 'refused', schema: ConsoleRefused, example: consoleWordExamples.refused },
        { name: 'taken_over', schema: ConsoleTakenOver, example: consoleWordExamples.taken_over },
        { name: 'exit', schema: ConsoleEnded, example: consoleWordExamples.exit },
      ],
      questions: [
        { name: 'typed', schema: Typed, mediaType: BYTES },
        { name: 'resize', schema: ConsoleResize, example: { kind: 'resize', columns: 120, rows: 40 } },
        { name: 'drawn', schema: ConsoleDrawn, example: { kind: 'drawn', bytes: 65_536 } },
        { name: 'signal', schema: ConsoleSignalOrder, example: { kind: 'signal', signal: 'SIGINT' } },
      ],
      admit: ({ params: { session_id } }) => consoles.refusal(session_id),
      accept: ({ params: { session_id }, query: { window_bytes }, request }, socket) => {
        if (request.socket.closed) return
        const stream = new ConsoleStream({ socket, connection: request.socket }, request.ip, window_bytes)
        const seat = consoles.attach(session_id, stream)
        if (isFault(seat)) stream.end()
        else {
          streams.add(stream)
          stream.sit(seat)
        }
      },
      faults: ['console.not_found'],
    }),
  ]
  const all = area('console', 'A shell on the device, for administrators who turned it on.', rows)
  return { ...all, close: () => streams.close() }
})
