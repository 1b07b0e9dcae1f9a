// A node of pipelines that a package brings, as its manifest declares it.
import type { Static } from 'typebox'
import { PORT_FORMATS } from '../pipeline/kinds.ts'
import { PortKindName } from '../pipeline/port-kind-name.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { PluginProgram } from './program.ts'

const strict = { additionalProperties: false } as const

const PortName = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,31}$',
  description: 'Small letters, digits, underscores, 32 at most, a letter first.',
})

const NodePort = Type.Object(
  {
    name: PortName,
    kind: PortKindName,
    format: Type.Optional(
      Type.Enum([...PORT_FORMATS], {
        description: oneLine`
          The pixels of a port of kind image; left out: gray. gray, colour, mask: these. any: an input takes all. same:
          an output gives what the first input has.
        `,
      }),
    ),
  },
  { ...strict, title: 'PluginNodePort', description: 'A port of a node.' },
)

const description = Type.String({ minLength: 1, maxLength: 300, description: 'What it does, for people.' })

/** Beyond it not every reader of JSON has the same number. */
const MOST = 1e15
const Bound = (what: string) => Type.Number({ minimum: -MOST, maximum: MOST, description: what })

const MAX_WORD = 60
const MAX_TEXT = 2000

const range = {
  minimum: Bound('The least that it may be.'),
  maximum: Bound('The most that it may be.'),
  default: Bound('Where nobody says anything.'),
}

const NumberParam = Type.Object(
  { type: Type.Literal('number', { description: 'A number.' }), ...range, description },
  { ...strict, title: 'PluginNumber', description: 'A number.' },
)

const IntegerParam = Type.Object(
  { type: Type.Literal('integer', { description: 'A number without a fraction.' }), ...range, description },
  { ...strict, title: 'PluginInteger', description: 'A number without a fraction.' },
)

const FlagParam = Type.Object(
  {
    type: Type.Literal('boolean', { description: 'Yes or no.' }),
    default: Type.Boolean({ description: 'Where nobody says anything.' }),
    description,
  },
  { ...strict, title: 'PluginFlag', description: 'Yes or no.' },
)

const TextParam = Type.Object(
  {
    type: Type.Literal('string', { description: 'A text.' }),
    enum: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_WORD, description: 'A word.' }), {
        minItems: 1,
        maxItems: 64,
        uniqueItems: true,
        description: 'What it may be; left out: any text.',
      }),
    ),
    maxLength: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_TEXT, default: 200, description: 'How long it may be.' }),
    ),
    default: Type.String({ maxLength: MAX_TEXT, description: 'Where nobody says anything.' }),
    description,
  },
  { ...strict, title: 'PluginText', description: 'A text, or one of some words.' },
)

const NodeParam = Type.Union([NumberParam, IntegerParam, FlagParam, TextParam], {
  title: 'PluginParam',
  description: 'The JSON schema of a parameter.',
})
export type NodeParam = Static<typeof NodeParam>

/** More fit on no form. */
export const MAX_PARAMS = 24

export const NodeDeclaration = Type.Object(
  {
    type: Type.String({
      pattern: '^[a-z][a-z0-9-]{0,39}$',
      description: 'Small letters, digits, hyphens. In graphs the node is `{name of the plugin}.{type}`.',
    }),
    title: Type.String({ minLength: 1, maxLength: 60, description: 'For people.' }),
    description: Type.String({ maxLength: 500, description: 'What it does, for people.' }),
    program: PluginProgram,
    inputs: Type.Array(NodePort, { minItems: 1, maxItems: 4, description: 'In this order.' }),
    outputs: Type.Array(NodePort, { minItems: 1, maxItems: 4, description: 'In this order.' }),
    params: Type.Record(PortName, NodeParam, {
      maxProperties: MAX_PARAMS,
      description: oneLine`
        A JSON schema of each parameter, with default and description: numbers and integers with minimum and maximum,
        booleans, texts, texts of an enum. All of them may be changed while it runs.
      `,
    }),
  },
  { ...strict, title: 'PluginNode', description: 'A node of pipelines that is run in a process of its own.' },
)
export type NodeDeclaration = Static<typeof NodeDeclaration>
