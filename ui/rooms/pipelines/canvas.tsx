// The graph as it is drawn: nodes are moved, and wires drawn, by mouse or finger, and by keys.
import {
  Background,
  type Connection,
  Controls,
  type Edge as DrawnEdge,
  type FinalConnectionState,
  type NodeChange,
  ReactFlow,
  SelectionMode,
  useReactFlow,
} from '@xyflow/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { NODE_WIDTH, placesOf } from './arrange.ts'
import { useEditor, useGraph } from './editor-context.ts'
import { type Edge, type Graph, type NodeTypes, type Place, partsOf, refOf, withEdge, withPlaces } from './graph.ts'
import { type DrawnNode, type DrawnPort, NodeBox } from './node-box.tsx'
import type { Diagnostic } from './report.ts'
import { formatOf, markOf, outputPort, type Port, whyNot } from './wires.ts'

const NODE_TYPES = { step: NodeBox }
/** So near that it can be read, even where not all of it is seen then. */
const FIT = { padding: 0.08, minZoom: 0.55, maxZoom: 1 }
const SEVERITIES = ['error', 'warning', 'info']

/** What is shown of a graph while a stream runs it. */
export interface Shown {
  /** What is in an output just now, by the reference of its port. */
  readonly samples: ReadonlyMap<string, string>
  /** How long a node takes, in words. */
  readonly times: ReadonlyMap<string, string>
}

interface CanvasProps extends Shown {
  readonly chosenEdge: Edge | undefined
  readonly onChooseEdge: (edge: Edge | undefined) => void
  /** Counts up whenever all of the graph is to be seen. */
  readonly fit: number
}

/** The drawing. */
export const Canvas = ({ samples, times, chosenEdge, onChooseEdge, fit }: CanvasProps) => {
  const { edit, types, checked, choose, selected, select, say } = useEditor()
  const graph = useGraph(edit)
  const { fitView } = useReactFlow()
  const [moving, setMoving] = useState<Readonly<Record<string, Place>>>({})
  const [measured, setMeasured] = useState<Readonly<Record<string, { width: number; height: number }>>>({})
  const places = useMemo(() => placesOf(graph, types), [graph, types])
  const diagnostics = checked.report?.diagnostics

  const drawn = useMemo(
    () => dataOf(graph, types, { samples, times }, diagnostics ?? []),
    [graph, types, samples, times, diagnostics],
  )
  const nodes = useMemo(
    () =>
      graph.nodes.map(({ id }): DrawnNode => {
        const size = measured[id]
        return {
          id,
          type: 'step',
          position: moving[id] ?? places[id] ?? { x: 0, y: 0 },
          data: drawn.get(id) as DrawnNode['data'],
          selected: selected.includes(id),
          ariaLabel: `node ${id}`,
          style: { width: NODE_WIDTH },
          ...(size && { measured: size }),
        }
      }),
    [graph, moving, places, drawn, selected, measured],
  )
  const edges = useMemo(
    () =>
      graph.edges.map((edge): DrawnEdge => {
        const port = outputPort(graph, types, edge.from)
        const [source, target] = [partsOf(edge.from), partsOf(edge.to)]
        return {
          id: `${edge.from} ${edge.to}`,
          type: 'smoothstep',
          source: source.node,
          sourceHandle: source.port,
          target: target.node,
          targetHandle: target.port,
          selected: edge === chosenEdge,
          ariaLabel: `wire from ${edge.from} to ${edge.to}`,
          style: port ? { stroke: `var(--port-${markOf(port, formatOf(graph, types, edge.from)).colour})` } : {},
        }
      }),
    [graph, types, chosenEdge],
  )

  const takeChanges = (changes: readonly NodeChange<DrawnNode>[]) => {
    const placed: Record<string, Place> = {}
    const picked = new Set(selected)
    for (const change of changes) {
      if (change.type === 'dimensions' && change.dimensions) {
        const { id, dimensions } = change
        setMeasured((known) => ({ ...known, [id]: dimensions }))
      }
      if (change.type === 'select') picked[change.selected ? 'add' : 'delete'](change.id)
      if (change.type !== 'position' || !change.position) continue
      const { id, position, dragging } = change
      if (dragging) setMoving((now) => ({ ...now, [id]: position }))
      else placed[id] = { x: Math.round(position.x), y: Math.round(position.y) }
    }
    if (picked.size !== selected.length || selected.some((id) => !picked.has(id))) select([...picked])
    if (Object.keys(placed).length === 0) return
    setMoving({})
    edit.trigger.changed({ graph: withPlaces(graph, { ...places, ...placed }) })
  }
  const refsOf = ({ source, sourceHandle, target, targetHandle }: Connection) =>
    [refOf(source, sourceHandle ?? ''), refOf(target, targetHandle ?? '')] as const
  const connect = (connection: Connection) => {
    const [from, to] = refsOf(connection)
    edit.trigger.changed({ graph: withEdge(graph, from, to) })
  }
  const explain = (_: unknown, { isValid, fromHandle, toHandle }: FinalConnectionState) => {
    if (isValid !== false || !fromHandle || !toHandle) return
    const refs = [fromHandle, toHandle].map(({ nodeId, id }) => refOf(nodeId, id ?? '')) as [string, string]
    if (fromHandle.type === toHandle.type) return say('A wire leads from an output, at the right, to an input.')
    const [from, to] = fromHandle.type === 'source' ? refs : refs.toReversed()
    const why = whyNot(graph, types, from ?? '', to ?? '')
    if (why !== undefined) say(why)
  }

  const known = useRef(fit)
  const isMeasured = graph.nodes.every(({ id }) => measured[id])
  useEffect(() => {
    if (known.current === fit || !isMeasured) return
    known.current = fit
    void fitView(FIT)
  }, [fit, isMeasured, fitView])

  return (
    <ReactFlow<DrawnNode>
      aria-label="Graph"
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      onNodesChange={takeChanges}
      onNodeClick={({ shiftKey, ctrlKey, metaKey }, { id }) => {
        if (!shiftKey && !ctrlKey && !metaKey) choose(id)
      }}
      onPaneClick={() => {
        choose(undefined)
        onChooseEdge(undefined)
      }}
      onEdgesChange={(changes) => {
        for (const change of changes)
          if (change.type === 'select' && change.selected)
            onChooseEdge(graph.edges.find(({ from, to }) => `${from} ${to}` === change.id))
      }}
      onConnect={connect}
      onConnectEnd={explain}
      isValidConnection={(connection) => {
        const [from, to] = refsOf(connection as Connection)
        return whyNot(graph, types, from, to) === undefined
      }}
      deleteKeyCode={null}
      selectionKeyCode="Shift"
      selectionMode={SelectionMode.Partial}
      multiSelectionKeyCode={['Shift', 'Control', 'Meta']}
      proOptions={{ hideAttribution: true }}
      minZoom={0.2}
      maxZoom={1.5}
      fitView
      fitViewOptions={FIT}
    >
      <Background gap={20} />
      <Controls showInteractive={false} position="bottom-right" />
    </ReactFlow>
  )
}

const dataOf = (
  graph: Graph,
  types: NodeTypes,
  { samples, times }: Shown,
  diagnostics: readonly Diagnostic[],
): ReadonlyMap<string, DrawnNode['data']> =>
  new Map(
    graph.nodes.map(({ id, type }) => {
      const { inputs = [], outputs = [] } = types.get(type) ?? {}
      const drawnInput = (port: Port): DrawnPort => ({
        name: port.name,
        mark: markOf(port),
        outputs: [],
        sample: undefined,
        isOptional: port.optional,
      })
      const drawnOutput = (port: Port): DrawnPort => {
        const ref = refOf(id, port.name)
        return {
          name: port.name,
          mark: markOf(port, formatOf(graph, types, ref)),
          outputs: graph.outputs.filter(({ from }) => from === ref).map(({ port }) => port),
          sample: samples.get(ref),
          isOptional: false,
        }
      }
      const about = diagnostics.filter(({ node }) => node === id)
      return [
        id,
        {
          type,
          inputs: inputs.map(drawnInput),
          outputs: outputs.map(drawnOutput),
          diagnostics: about.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)),
          time: times.get(id),
        },
      ] as const
    }),
  )
