// What is published about console sessions. What is typed and shown in them is told to nobody but who is attached.
import { eventKind } from '../events/kind.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { ConsoleProgramName, ConsoleSessionId, ConsoleStateName, consoleSessionExample } from './session.ts'

/** A console session began, is in another state, or ended. */
export const consoleChanged = eventKind({
  kind: 'console_changed',
  about: oneLine`
    A console session was started, somebody attached or left, or it ended. Nothing of what is typed or shown is told.
  `,
  reference: { session_id: ConsoleSessionId },
  data: Type.Object(
    {
      program: ConsoleProgramName,
      state: Type.Union([ConsoleStateName, Type.Null()], { description: 'null: it has ended.' }),
      deleted: Type.Boolean({ description: 'Whether it has ended.' }),
    },
    { additionalProperties: false, title: 'ConsoleChange', description: 'What became of a console session.' },
  ),
  revised: false,
  example: {
    resource_ref: { session_id: consoleSessionExample.session_id },
    data: { program: 'shell', state: 'open', deleted: false },
  },
})
