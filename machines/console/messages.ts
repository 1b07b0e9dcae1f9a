// What is said on the stream of a console session beside the bytes of its terminal: JSON, in text messages.
import type { Static, TSchema } from 'typebox'
import { enumOf } from '../schema/enum-of.ts'
import { firstError, schemaErrors } from '../schema/errors.ts'
import Type from '../schema/type.ts'
import {
  ConsoleEndReasonName,
  ConsoleSession,
  consoleSessionExample,
  TerminalColumns,
  TerminalRows,
  type TerminalSize,
} from './session.ts'

const strict = { additionalProperties: false } as const

const SIGNALS = {
  SIGINT: 'stop what you do, as Ctrl-C',
  SIGQUIT: 'stop, and leave a core',
  SIGTSTP: 'pause, as Ctrl-Z',
  SIGCONT: 'go on',
  SIGTERM: 'end',
  SIGHUP: 'the terminal is gone',
  SIGKILL: 'be ended by the kernel',
  SIGUSR1: 'whatever the program makes of it',
  SIGUSR2: 'whatever the program makes of it',
} as const
export type ConsoleSignal = keyof typeof SIGNALS

/** The terminal has another size. */
export const ConsoleResize = Type.Object(
  { kind: Type.Literal('resize'), columns: TerminalColumns, rows: TerminalRows },
  { ...strict, title: 'ConsoleResize', description: 'The terminal has another size.' },
)

/** A signal for what runs in the foreground. */
export const ConsoleSignalOrder = Type.Object(
  { kind: Type.Literal('signal'), signal: enumOf(SIGNALS, 'ConsoleSignal') },
  { ...strict, title: 'ConsoleSignalOrder', description: 'A signal for the programs in the foreground.' },
)

const MAX_WINDOW_BYTES = 16 * 1024 * 1024

/** How far what is shown may be ahead of what its client says that it has drawn. */
export const ConsoleWindow = Type.Integer({
  minimum: 65_536,
  maximum: MAX_WINDOW_BYTES,
  description:
    'So many bytes may be shown that the client has not yet said to be drawn, by `drawn`; default: as many as the ' +
    'connection takes. For pages, which cannot read more slowly.',
})

/** The client has drawn something. */
export const ConsoleDrawn = Type.Object(
  {
    kind: Type.Literal('drawn'),
    bytes: Type.Integer({ minimum: 1, maximum: MAX_WINDOW_BYTES, description: 'So many more.' }),
  },
  { ...strict, title: 'ConsoleDrawn', description: 'The client has drawn so much more of what was shown.' },
)

/** What a client may say. */
export type ConsoleOrder =
  | { readonly kind: 'drawn'; readonly bytes: number }
  | ({ readonly kind: 'resize' } & TerminalSize)
  | { readonly kind: 'signal'; readonly signal: ConsoleSignal }

/** The first message. */
export const ConsoleAttached = Type.Object(
  { kind: Type.Literal('attached'), session: ConsoleSession },
  {
    ...strict,
    title: 'ConsoleAttached',
    description: 'The first message: what the terminal has shown lately follows, and then what comes.',
  },
)

/** What a client said was not understood. */
export const ConsoleRefused = Type.Object(
  { kind: Type.Literal('refused'), detail: Type.String({ description: 'What is wrong with it.' }) },
  { ...strict, title: 'ConsoleRefused', description: 'What the client said cannot be done; all else goes on.' },
)

/** Another client has attached. */
export const ConsoleTakenOver = Type.Object(
  { kind: Type.Literal('taken_over'), by: Type.String({ description: 'The network address of the other client.' }) },
  {
    ...strict,
    title: 'ConsoleTakenOver',
    description: 'The last message: another client has attached, and the session goes on with that one.',
  },
)

/** The session has ended. */
export const ConsoleEnded = Type.Object(
  {
    kind: Type.Literal('exit'),
    reason: ConsoleEndReasonName,
    code: Type.Union([Type.Integer(), Type.Null()], {
      description: 'With which its program ended; null: it did not end by itself, or by a signal.',
    }),
    signal: Type.Union([Type.String(), Type.Null()], { description: 'By which its program ended; null: by none.' }),
    detail: Type.String({ description: 'The same for people.' }),
  },
  { ...strict, title: 'ConsoleEnded', description: 'The last message: the session has ended.' },
)

/** What the service says. */
export type ConsoleWord =
  | Static<typeof ConsoleAttached>
  | Static<typeof ConsoleRefused>
  | Static<typeof ConsoleTakenOver>
  | Static<typeof ConsoleEnded>

export const consoleWordExamples = {
  attached: { kind: 'attached', session: { ...consoleSessionExample, state: 'open' } },
  refused: { kind: 'refused', detail: '/columns of the message must be at least 1, not 0' },
  taken_over: { kind: 'taken_over', by: '192.168.7.21' },
  exit: { kind: 'exit', reason: 'exited', code: 0, signal: null, detail: 'its program ended with the code 0' },
} as const

const ORDERS: ReadonlyMap<unknown, TSchema> = new Map<unknown, TSchema>([
  ['resize', ConsoleResize],
  ['signal', ConsoleSignalOrder],
  ['drawn', ConsoleDrawn],
])

/** Reads what a client said in a text message; a sentence on what is wrong with it. */
export const readOrder = (text: string): ConsoleOrder | string => {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return 'a text message is JSON: what is typed goes in binary messages'
  }
  const { kind } = (said ?? {}) as { readonly kind?: unknown }
  const schema = ORDERS.get(kind)
  if (!schema) return 'kind must be resize, signal or drawn'
  const errors = schemaErrors(schema, said)
  return errors.length > 0 ? firstError(errors, 'the message') : (said as ConsoleOrder)
}
