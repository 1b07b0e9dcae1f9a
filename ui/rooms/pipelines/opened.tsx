// A pipeline that is opened in the editor: a stored one, or that of a stream.
import { useEffect, useMemo } from 'react'
import { Link, Redirect } from 'wouter'
import { Empty, ProblemNote } from '../../parts/parts.tsx'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { streams, useOwnStreams } from '../../state/streams.ts'
import { createEdit, type Edit, isDirty, type Saved } from './edit.ts'
import { Editor } from './editor.tsx'
import type { Graph, NodeTypes } from './graph.ts'
import { doesSame } from './graph.ts'
import { addressOf, nameOf } from './pipeline-list.tsx'
import { changeLayout, changePipeline, graphs, nodeTypes, replaceGraph } from './stored.ts'
import type { Subject } from './subject.ts'

/** The editor of a stored pipeline. */
export const StoredEditor = ({ id }: { readonly id: string }) => {
  const { value, problem } = useKnown(graphs)
  const stored = value?.find((graph) => graph.id === id)
  const subject = useMemo(
    () =>
      stored && {
        name: nameOf(stored),
        graphId: id,
        streamId: undefined,
        saved: { graph: stored.spec, revision: stored.revision },
        save: (graph: Graph, { revision }: Saved) => replaceGraph(id, graph, revision),
        heeds: (ref: Readonly<Record<string, string>>) => ref.graph_id === id && ref.peer_id === undefined,
      },
    [stored, id],
  )
  if (problem) return <ProblemNote problem={problem} />
  if (!value) return <p className="hint">Loading</p>
  if (!subject) return <Gone>There is no stored pipeline {id} any more.</Gone>
  return <WithTypes subject={subject} />
}

/** The editor of what a stream runs: its own pipeline, or the stored one of the slot that is active. */
export const StreamEditor = ({ streamId }: { readonly streamId: string }) => {
  const problem = useKnownOf(streams, (known) => known.problem)
  const all = useOwnStreams()
  const stream = all?.find(({ id }) => id === streamId)
  const { value: types } = useKnown(nodeTypes)
  const subject = useMemo(
    () =>
      stream && {
        name: `Pipeline of ${stream.spec.alias}`,
        graphId: undefined,
        streamId,
        saved: { graph: stream.spec.pipeline, revision: stream.revision },
        save: (graph: Graph, base: Saved) =>
          types && doesSame(graph, base.graph, types) && graph.name === base.graph.name
            ? changeLayout(streamId, graph.layout ?? {}, base.revision)
            : changePipeline(streamId, { graph, expected_revision: base.revision }),
        heeds: (ref: Readonly<Record<string, string>>) => ref.stream_id === streamId && ref.peer_id === undefined,
      },
    [stream, streamId, types],
  )
  if (problem) return <ProblemNote problem={problem} />
  if (!all) return <p className="hint">Loading</p>
  if (!subject || !stream) return <Gone>There is no stream {streamId} any more.</Gone>
  const { graph_id } = stream.status.pipeline
  if (graph_id !== null) return <Redirect to={`${addressOf(graph_id)}?on=${encodeURIComponent(streamId)}`} replace />
  return <WithTypes subject={subject} />
}

const Gone = ({ children }: { readonly children: React.ReactNode }) => (
  <Empty action={<Link href="/pipelines">All pipelines</Link>}>{children}</Empty>
)

/** The editor of whatever it is, once the types of nodes are known. */
export const WithTypes = ({ subject }: { readonly subject: Subject }) => {
  const { value: types, problem } = useKnown(nodeTypes)
  if (problem) return <ProblemNote problem={problem} />
  if (!types) return <p className="hint">Loading</p>
  return <WithEdit subject={subject} types={types} />
}

/** What was changed and not saved, while another room is open. */
const unsaved = new Map<string, Edit>()

const WithEdit = ({ subject, types }: { readonly subject: Subject; readonly types: NodeTypes }) => {
  const { saved, graphId, streamId, remote } = subject
  const key = graphId === undefined ? `stream ${remote?.listedId ?? streamId}` : `graph ${graphId}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins with what there is, and hears of what comes
  const edit = useMemo(() => unsaved.get(key) ?? createEdit(saved, types), [])
  useEffect(() => {
    const isUnsaved = () => isDirty(edit.getSnapshot().context, types)
    const warn = (event: BeforeUnloadEvent) => {
      if (isUnsaved()) event.preventDefault() // the browser asks whether the page is to be left
    }
    addEventListener('beforeunload', warn)
    return () => {
      removeEventListener('beforeunload', warn)
      if (isUnsaved()) unsaved.set(key, edit)
      else unsaved.delete(key)
    }
  }, [edit, key, types])
  useEffect(() => edit.trigger.heard({ saved }), [edit, saved])
  return <Editor subject={subject} edit={edit} types={types} />
}
