// What is run of a package.
import { enumOf } from '../schema/enum-of.ts'
import Type from '../schema/type.ts'

export const RUNTIMES = {
  node: 'a module of JavaScript or TypeScript, run by the Node of this service',
  python: 'a Python 3 program, where the device has Python',
  executable: 'a program of its own, for the processor of the device',
} as const

export const PluginProgram = Type.Object(
  {
    runtime: enumOf(RUNTIMES, 'PluginRuntime'),
    path: Type.String({ minLength: 1, maxLength: 200, description: 'Path of its file in the package.' }),
    arguments: Type.Optional(
      Type.Array(Type.String({ maxLength: 200, description: 'A text.' }), {
        maxItems: 32,
        description: 'Given to it.',
      }),
    ),
  },
  { additionalProperties: false, title: 'PluginProgram', description: 'What is run, in the folder of the package.' },
)
