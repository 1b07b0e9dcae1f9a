// The graph on a phone: its nodes in the order in which they run, each with its form.
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button, Card, Dialog, Empty, Pill } from '../../parts/parts.tsx'
import { counted } from '../../words.ts'
import { useEditor, useGraph } from './editor-context.ts'
import { inOrder, nodeOf, partsOf } from './graph.ts'
import { NodeForm } from './node-form.tsx'
import { Palette } from './palette.tsx'
import { PipelineForm } from './pipeline-form.tsx'
import { Problems } from './problems.tsx'

/** The list. */
export const NodeList = ({ onAdd }: { readonly onAdd: (type: string) => void }) => {
  const { edit } = useEditor()
  const graph = useGraph(edit)
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <Card title="Nodes" side={<AddButton onPress={() => setAdding(true)} />}>
        {graph.nodes.length === 0 && <Empty>There is no node yet. Add the camera first: it is called source.</Empty>}
        <ul className="node-list" aria-label="Nodes in order">
          {inOrder(graph).map((id) => (
            <ListedNode key={id} id={id} />
          ))}
        </ul>
      </Card>
      <Card title="Pipeline">
        <div className="card-body">
          <PipelineForm />
        </div>
      </Card>
      <Card title="Planner">
        <div className="card-body">
          <Problems />
        </div>
      </Card>
      {isAdding && (
        <Dialog title="Add a node" onClose={() => setAdding(false)}>
          <Palette
            onAdd={(type) => {
              onAdd(type)
              setAdding(false)
            }}
          />
        </Dialog>
      )}
    </>
  )
}

const AddButton = ({ onPress }: { readonly onPress: () => void }) => (
  <Button icon={<Plus size={18} aria-hidden />} onClick={onPress}>
    Add
  </Button>
)

const ListedNode = ({ id }: { readonly id: string }) => {
  const { edit, chosen, choose, checked } = useEditor()
  const graph = useGraph(edit)
  const node = nodeOf(graph, id)
  const sources = graph.edges.filter(({ to }) => partsOf(to).node === id).map(({ from }) => from)
  const wrong = checked.report?.diagnostics.filter(({ node, severity }) => node === id && severity === 'error') ?? []
  const isOpen = chosen === id
  return (
    <li>
      <button
        type="button"
        className="listed-node"
        aria-expanded={isOpen}
        onClick={() => choose(isOpen ? undefined : id)}
      >
        <strong>{id}</strong>
        <span className="hint">{node?.type === id ? '' : node?.type}</span>
        {wrong.length > 0 && <Pill tone="bad">{counted(wrong.length, 'error')}</Pill>}
        {sources.length > 0 && <span className="hint from">from {sources.join(', ')}</span>}
      </button>
      {isOpen && (
        <div className="card-body">
          <NodeForm id={id} />
        </div>
      )}
    </li>
  )
}
