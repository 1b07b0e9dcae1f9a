// What a schema cannot say of an animation.
import type { SchemaError } from '../schema/explain.ts'
import type { Animation } from './animation.ts'

/** Everything that is wrong with an animation whose fields are of the right form. id: under which it is stored. */
export const flawsOfAnimation = ({ name, tracks }: Animation, id = name): readonly SchemaError[] => [
  ...(name === id ? [] : [{ pointer: '/name', message: `is not ${id}` }]),
  ...tracks.flatMap(({ keyframes }, track) =>
    keyframes.flatMap(({ at }, index) => {
      const before = keyframes[index - 1]
      return before && before.at > at
        ? { pointer: `/tracks/${track}/keyframes/${index}/at`, message: 'comes before the keyframe above it' }
        : []
    }),
  ),
]
