// What two devices say to each other of their clocks, on the socket of the events of one of them. Only the one that is
// asked says where its clock stands.

import type { Static } from 'typebox'
import { jsonIn } from '../schema/json.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const
const NumberOfQuestion = Type.Integer({ minimum: 0, description: 'Of the question: the answer has the same.' })

/** From the device that listens. */
export const ClockQuestion = Type.Object(
  { kind: Type.Literal('clock_question'), number: NumberOfQuestion },
  {
    ...strict,
    title: 'ClockQuestion',
    description: oneLine`
      Where does your clock stand? To be asked only where the \`hello\` has \`tells_time\`; a few times in a row, and
      again every few seconds: what is asked more often is not answered. The answer with the shortest way counts.
    `,
  },
)

/** From the device that tells its events. */
export const ClockReading = Type.Object(
  {
    kind: Type.Literal('clock'),
    number: NumberOfQuestion,
    monotonic_us: Type.Integer({
      description: oneLine`
        By the clock of the device that is never set (CLOCK_MONOTONIC), when the question came: that of
        \`X-Captured-Us\` and of all times of capture.
      `,
    }),
  },
  {
    ...strict,
    title: 'ClockReading',
    description: 'The answer to a `clock_question`, and no event: it has no number of its own.',
  },
)
export type ClockReading = Static<typeof ClockReading>

/** The question with a number. */
export const clockQuestion = (number: number): string =>
  JSON.stringify({ kind: 'clock_question', number } satisfies Static<typeof ClockQuestion>)

const MAX_QUESTION_LENGTH = 128

/** The number of the question that a message is; undefined: it is none. */
export const clockQuestionIn = (message: string): number | undefined => {
  if (message.length > MAX_QUESTION_LENGTH) return undefined
  const { kind, number } = (jsonIn(message) ?? {}) as { readonly kind?: unknown; readonly number?: unknown }
  return kind === 'clock_question' && Number.isSafeInteger(number) && (number as number) >= 0
    ? (number as number)
    : undefined
}
