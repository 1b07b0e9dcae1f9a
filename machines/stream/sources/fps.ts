// The rate of the sources that make up their own.
import { withDefault } from '../../schema/defaults.ts'
import Type from '../../schema/type.ts'

/** The rate of a source that has no camera to ask. */
export const Fps = withDefault(Type.Number({ minimum: 0.1, maximum: 240, description: 'Pictures per second.' }), 30)
