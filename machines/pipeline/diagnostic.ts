// What the planner says about a graph: what is wrong or worth knowing, where, and what would repair it.

import type { Static } from 'typebox'
import type { SchemaError } from '../schema/explain.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

/** How bad it is: an error keeps the graph from running, a warning does not, and nothing need be done about an info. */
export const SEVERITIES = ['error', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Every code, with its severity. Clients tell diagnostics apart by them: none is ever given another meaning. */
export const DIAGNOSTICS = {
  'node.type_unknown': 'error',
  'node.plugin_missing': 'error',
  'node.unavailable': 'error',
  'node.id_taken': 'error',
  'node.too_many': 'error',
  'source.missing': 'error',
  'source.second': 'error',
  'param.invalid': 'error',
  'pictures.too_large': 'error',
  'edge.node_unknown': 'error',
  'edge.port_unknown': 'error',
  'edge.to_itself': 'error',
  'edge.circle': 'error',
  'edge.input_taken': 'error',
  'edge.other_kind': 'error',
  'edge.other_format': 'error',
  'input.open': 'error',
  'output.name_taken': 'error',
  'output.name_reserved': 'error',
  'output.node_unknown': 'error',
  'output.port_unknown': 'error',
  'model.unknown': 'error',
  'model.unfit': 'error',
  'node.unused': 'warning',
  'calibration.missing': 'warning',
  'model.missing': 'warning',
  'cost.over_budget': 'warning',
  'param.adjusted': 'warning',
  'output.missing': 'info',
  'node.shared': 'info',
  'edge.converted': 'info',
} as const satisfies Readonly<Record<string, Severity>>
export type DiagnosticCode = keyof typeof DIAGNOSTICS

const strict = { additionalProperties: false } as const

/** One operation of a JSON Patch (RFC 6902); those that fixes are made of. */
export const PatchOperation = Type.Object(
  {
    op: Type.Enum(['test', 'add', 'replace', 'remove'], { title: 'PatchOp', description: 'As RFC 6902 says.' }),
    path: Type.String({ description: 'A JSON pointer (RFC 6901) into the graph document.' }),
    value: Type.Optional(Type.Unknown({ description: 'Of all but remove.' })),
  },
  { ...strict, title: 'PatchOperation', description: 'An operation of a JSON Patch (RFC 6902).' },
)
export type PatchOperation = Static<typeof PatchOperation>
export type Patch = readonly PatchOperation[]

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** How bad it is, as the documents explain it. */
export const SeverityName = Type.Enum([...SEVERITIES], {
  title: 'Severity',
  description: 'error: the graph cannot run. warning: it runs, but hardly as it was meant. info: nothing need be done.',
})

/** What was found about a graph, as clients get it. */
export const Diagnostic = Type.Object(
  {
    severity: SeverityName,
    code: Type.Enum(Object.keys(DIAGNOSTICS) as DiagnosticCode[], {
      title: 'DiagnosticCode',
      description: 'The stable key, for programs.',
    }),
    node: orNull('The id of the node that it is about; null: none, or several.'),
    port: orNull('The port of that node; null: none.'),
    pointer: Type.String({ description: 'RFC 6901, into the graph document.' }),
    message: Type.String({ description: 'A sentence: what is wrong, and what would repair it.' }),
    fix: Type.Union([Type.Array(PatchOperation), Type.Null()], {
      description: oneLine`
        A JSON Patch of the graph document after which this diagnostic is gone. It begins with tests of what it
        changes, so that it fails where the document is another by now. null: only its user knows.
      `,
    }),
  },
  { ...strict, title: 'Diagnostic', description: 'What the planner says about one place of a graph.' },
)
export type Diagnostic = Static<typeof Diagnostic>

/** A diagnostic before anybody asks for it. */
export interface Finding extends SchemaError {
  readonly code: DiagnosticCode
  /** What the sentence is about, `threads of tags`. message: the rest of it. */
  readonly of: string
  readonly node?: string
  readonly port?: string
  /** Made on demand, which most callers never do; none: there is none. */
  readonly fix?: () => Patch | null
}

export const isError = ({ code }: Pick<Finding, 'code'>): boolean => DIAGNOSTICS[code] === 'error'

/** The first of some findings as a sentence, and how many more there are. */
export const firstOf = ([first, ...others]: readonly Finding[]): string => {
  const more = others.length > 0 ? `, and ${others.length} more` : ''
  return first ? `${first.of} ${first.message}${more}` : 'nothing is wrong'
}

/** A finding as clients get it. */
export const diagnosticOf = ({
  code,
  of,
  node = null,
  port = null,
  pointer,
  message,
  fix,
}: Omit<Finding, 'node' | 'port'> & { readonly node?: string | null; readonly port?: string | null }): Diagnostic => {
  const patch = fix?.()
  return {
    severity: DIAGNOSTICS[code],
    code,
    node,
    port,
    pointer,
    message: `${of} ${message}`,
    fix: patch ? [...patch] : null,
  }
}
