// Which version of the service runs on a device, and which one runs if that does not do: one small file that is always
// written whole, so that a power cut leaves the one state or the other.
import type { Static } from 'typebox'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

/** A version that did not do. */
export const FailedVersion = Type.Object(
  {
    version: Type.String({ description: 'Its name.' }),
    reason: Type.String({ description: 'Why it was given up, for people.' }),
    at_ms: Type.Integer({ description: 'When, Unix time.' }),
    exits: Type.Array(Type.String(), { maxItems: 8, description: 'How its runs ended, the last one last.' }),
    left_behind: Type.Array(Type.String(), {
      maxItems: 100,
      description: 'Documents that were written while it ran, and are not in the settings now: as `streams/front`.',
    }),
  },
  { ...strict, title: 'FailedVersion', description: 'A version that did not do.' },
)
export type FailedVersion = Static<typeof FailedVersion>

/** The file `state.json` of the system folder. */
export const SlotState = Type.Object(
  {
    format: Type.Literal(1),
    current: Type.String({ description: 'The name of the version that is to run, or `packaged`.' }),
    previous: Type.Union([Type.String(), Type.Null()], { description: 'The one to go back to; null: there is none.' }),
    tries: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'How often the current one may still be started before it is given up; null: it is committed.',
    }),
    since_ms: Type.Integer({ description: 'When the current one was chosen, Unix time.' }),
    exits: Type.Array(Type.String(), { maxItems: 8, description: 'How runs of a trial ended, the last one last.' }),
    failed: Type.Union([FailedVersion, Type.Null()], { description: 'The last one that was given up; null: none.' }),
  },
  { ...strict, title: 'SlotState', description: 'Which version runs, and which one if that does not do.' },
)
export type SlotState = Static<typeof SlotState>

/** How often a version is started at most before it must have been committed. */
export const TRIES = 2
