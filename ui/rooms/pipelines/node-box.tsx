// A node as it is drawn: its ports with letter and colour, what it gives just now, and what the planner says of it.
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { useEditor } from './editor-context.ts'
import { FixButton } from './problems.tsx'
import type { Diagnostic } from './report.ts'
import type { PortMark } from './wires.ts'

/** A port as it is drawn. */
export interface DrawnPort {
  readonly name: string
  readonly mark: PortMark
  /** Names of the outputs of the graph that have its values. */
  readonly outputs: readonly string[]
  /** What is in it just now. */
  readonly sample: string | undefined
  readonly isOptional: boolean
}

export type DrawnNode = Node<
  {
    readonly type: string
    readonly inputs: readonly DrawnPort[]
    readonly outputs: readonly DrawnPort[]
    readonly diagnostics: readonly Diagnostic[]
    /** How long it takes: measured, or about. */
    readonly time: string | undefined
  },
  'step'
>

const Port = ({ port, side }: { readonly port: DrawnPort; readonly side: 'target' | 'source' }) => (
  <div className="port" data-side={side}>
    <Handle
      type={side}
      position={side === 'target' ? Position.Left : Position.Right}
      id={port.name}
      className="port-mark"
      data-colour={port.mark.colour}
      title={`${port.name}: ${port.mark.word}`}
    >
      {port.mark.letter}
    </Handle>
    <span
      className="port-name"
      data-optional={port.isOptional}
      title={port.isOptional ? 'It may be left open' : undefined}
    >
      {port.name}
    </span>
    {port.outputs.map((name) => (
      <span key={name} className="port-output" title={`Leaves the pipeline as the output ${name}`}>
        {name}
      </span>
    ))}
    {port.sample !== undefined && <span className="port-sample">{port.sample}</span>}
  </div>
)

const SEVERITY_TONE = { error: 'bad', warning: 'busy', info: 'quiet' } as const

/** The node. */
export const NodeBox = memo(({ id, data, selected }: NodeProps<DrawnNode>) => {
  const { inputs, outputs, diagnostics, type, time } = data
  const [worst] = diagnostics
  return (
    <div className="node-box" data-chosen={selected} data-tone={worst && SEVERITY_TONE[worst.severity]}>
      <div className="node-head">
        <strong>{id}</strong>
        {type !== id && <span className="hint">{type}</span>}
        {time !== undefined && <span className="node-time">{time}</span>}
      </div>
      <div className="node-ports">
        <div>
          {inputs.map((port) => (
            <Port key={port.name} port={port} side="target" />
          ))}
        </div>
        <div>
          {outputs.map((port) => (
            <Port key={port.name} port={port} side="source" />
          ))}
        </div>
      </div>
      {worst && worst.severity !== 'info' && (
        <div className="node-problem nodrag">
          <span className="mark-of-tone">{worst.message}</span>
          <FixButton diagnostic={worst} />
        </div>
      )}
      <ConnectButton id={id} />
    </div>
  )
})
NodeBox.displayName = 'NodeBox'

const ConnectButton = ({ id }: { readonly id: string }) => {
  const { connectFrom } = useEditor()
  return (
    <button
      type="button"
      className="node-connect nodrag"
      onClick={() => connectFrom(id)}
      aria-label={`Connect to ... from ${id}`}
    >
      Connect to ...
    </button>
  )
}
