// Beside the graph: the form of what is chosen, what the planner says, and the slots of the stream.
import { useSearchParams } from 'wouter'
import { Tabs } from '../../parts/parts.tsx'
import type { Stream } from '../../state/streams.ts'
import { useEditor, useGraph } from './editor-context.ts'
import { nodeOf } from './graph.ts'
import { NodeForm } from './node-form.tsx'
import { NodesForm } from './nodes-form.tsx'
import { PipelineForm } from './pipeline-form.tsx'
import { Problems } from './problems.tsx'
import { Slots } from './slots.tsx'
import type { Subject } from './subject.ts'

/** The tabs. */
export const Side = ({ subject, stream }: { readonly subject: Subject; readonly stream: Stream | undefined }) => {
  const { chosen, selected, checked, edit } = useEditor()
  const graph = useGraph(edit)
  const [search, setSearch] = useSearchParams()
  const count = checked.report?.diagnostics.length ?? 0
  const tab = search.get('tab') ?? 'node'
  return (
    <section className="card" aria-label="About it">
      <Tabs
        label="About it"
        chosen={tab}
        onChoose={(id) =>
          setSearch(
            (now) => {
              now.set('tab', id)
              return now
            },
            { replace: true },
          )
        }
        tabs={[
          {
            id: 'node',
            name: selected.length > 1 ? 'Nodes' : chosen === undefined ? 'Pipeline' : 'Node',
            content: () => {
              if (selected.length > 1) return <NodesForm />
              return chosen !== undefined && nodeOf(graph, chosen) ? (
                <NodeForm key={chosen} id={chosen} />
              ) : (
                <PipelineForm />
              )
            },
          },
          { id: 'problems', name: count > 0 ? `Planner (${count})` : 'Planner', content: () => <Problems /> },
          ...(stream
            ? [{ id: 'slots', name: 'Slots', content: () => <Slots stream={stream} graphId={subject.graphId} /> }]
            : []),
        ]}
      />
    </section>
  )
}
