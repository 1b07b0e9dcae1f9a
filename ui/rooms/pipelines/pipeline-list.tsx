// All pipelines: those of the streams, those that are stored, and templates to begin with.
import { Download, Plus, Trash2, Workflow } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Problem } from '../../api/client.ts'
import { FilesButton } from '../../parts/file-choice.tsx'
import { Button, Card, Empty, Pill, ProblemNote, State, WriteNote } from '../../parts/parts.tsx'
import { peers } from '../../state/device.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { isRemote, type Stream, streams, useOwnStreams } from '../../state/streams.ts'
import { withUndo } from '../../state/undo.ts'
import { useWrite } from '../../state/write.ts'
import { counted } from '../../words.ts'
import { arranged } from './arrange.ts'
import { EMPTY_GRAPH, type Graph } from './graph.ts'
import { deleteGraph, graphs, nodeTypes, readTemplate, type StoredGraph, storeGraph, templates } from './stored.ts'

/** Where a stored pipeline is edited. */
export const addressOf = (id: string): string => `/pipelines/${encodeURIComponent(id)}`

/** Where the pipeline of a stream is edited. */
export const addressOfStream = (id: string): string => `/pipelines/of/${encodeURIComponent(id).replace('%3A', ':')}`

/** The name of a stored pipeline for people. */
export const nameOf = ({ id, spec }: StoredGraph): string => spec.name ?? id

/** The list. */
export const PipelineList = () => {
  const { state, write } = useWrite()
  const [, navigate] = useLocation()
  const create = async (graph: Graph & { readonly id?: string }) => {
    const answer = await write(() => storeGraph(graph))
    if (answer.ok) navigate(addressOf(answer.value.id))
  }
  return (
    <>
      <div className="page-head">
        <h1>Pipelines</h1>
        <div className="right">
          <ImportButton onFile={create} />
          <Button icon={<Plus size={18} aria-hidden />} onClick={() => void create({ ...EMPTY_GRAPH, name: 'New' })}>
            Empty pipeline
          </Button>
        </div>
      </div>
      {state.state === 'refused' && <WriteNote state={state} />}
      <div className="pipelines-list">
        <div className="stack">
          <StoredCard />
          <StreamsCard />
          <RemoteStreamsCard />
        </div>
        <TemplatesCard onUse={create} />
      </div>
    </>
  )
}

const ImportButton = ({ onFile }: { readonly onFile: (graph: Graph & { readonly id?: string }) => Promise<void> }) => {
  const [why, setWhy] = useState<string>()
  const read = async (file: File | undefined) => {
    if (!file) return
    const graph = graphIn(await file.text())
    setWhy(graph ? undefined : `${file.name} is no pipeline: it is to be a file that "Export" has made.`)
    if (graph) await onFile(graph)
  }
  return (
    <>
      {why !== undefined && (
        <span role="alert" className="wrong">
          {why}
        </span>
      )}
      <FilesButton name="File of a pipeline" accept=".json,application/json" onChoose={([file]) => void read(file)}>
        Import a file
      </FilesButton>
    </>
  )
}

const graphIn = (text: string): (Graph & { readonly id?: string }) | undefined => {
  try {
    const read = JSON.parse(text) as Partial<Graph>
    return Array.isArray(read.nodes) ? { ...EMPTY_GRAPH, ...read } : undefined
  } catch {
    return undefined
  }
}

const StoredCard = () => {
  const { value, problem } = useKnown(graphs)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const [refusal, setRefusal] = useState<Problem>()
  const remove = ({ id, ...stored }: StoredGraph) => {
    const show = () => setHidden((now) => now.filter((each) => each !== id))
    setHidden((now) => [...now, id])
    const carryOut = async (isLeaving: boolean) => {
      const answer = await deleteGraph(id, isLeaving)
      setRefusal(answer.ok ? undefined : answer.problem)
      show() // it is gone by then, or could not be deleted
    }
    withUndo(`Deleted ${nameOf({ id, ...stored })}`, (isLeaving) => void carryOut(isLeaving), show)
  }
  const shown = value?.filter(({ id }) => !hidden.includes(id))
  return (
    <Card title="Stored" side={<span className="hint">any stream can run them</span>}>
      {problem && <ProblemNote problem={problem} />}
      {refusal && <ProblemNote problem={refusal} title="It was not deleted." />}
      {shown?.length === 0 && <Empty>Nothing is stored yet. Begin with a template: it opens in the editor.</Empty>}
      <ul className="list" aria-label="Stored pipelines">
        {shown?.map((graph) => (
          <StoredRow key={graph.id} graph={graph} onDelete={() => remove(graph)} />
        ))}
      </ul>
    </Card>
  )
}

const StoredRow = ({ graph, onDelete }: { readonly graph: StoredGraph; readonly onDelete: () => void }) => {
  const { id, spec, status } = graph
  const name = nameOf(graph)
  const users = status.used_by
  const wrong = status.diagnostics.filter(({ severity }) => severity === 'error').length
  return (
    <li>
      <div className="grow">
        <Link href={addressOf(id)}>
          <strong>{name}</strong>
        </Link>
        <div className="hint">
          {counted(spec.nodes.length, 'node')}
          {users.length > 0 && `, in ${users.map(slotOf).join(', ')}`}
        </div>
      </div>
      {status.runnable ? <Pill tone="good">can run</Pill> : <Pill tone="bad">{counted(wrong, 'error')}</Pill>}
      <a
        className="button"
        data-size="icon"
        href={`/v1/pipelines/graphs/${encodeURIComponent(id)}/export`}
        download={`${id}.pipeline.json`}
        aria-label={`Export ${name}`}
      >
        <Download size={18} aria-hidden />
      </a>
      <Button
        icon={<Trash2 size={18} aria-hidden />}
        aria-label={`Delete ${name}`}
        disabled={users.length > 0}
        title={users.length > 0 ? `It is in ${users.map(slotOf).join(', ')}; take it out of there first.` : undefined}
        onClick={onDelete}
      />
    </li>
  )
}

const slotOf = ({ stream_id, slot, active }: StoredGraph['status']['used_by'][number]): string =>
  `slot ${slot} of ${stream_id}${active ? ' (running)' : ''}`

const StreamsCard = () => {
  const own = useOwnStreams()
  return (
    <Card title="What streams run">
      {own?.length === 0 && <Empty>There is no stream yet. Add a camera on the overview.</Empty>}
      <ul className="list" aria-label="Pipelines of streams">
        {own?.map((stream) => (
          <StreamRow key={stream.id} stream={stream} />
        ))}
      </ul>
    </Card>
  )
}

const StreamRow = ({ stream: { id, spec, status } }: { readonly stream: Stream }) => {
  const { value } = useKnown(graphs)
  const { slot, graph_id, fault } = status.pipeline
  const stored = value?.find((graph) => graph.id === graph_id)
  return (
    <li>
      <div className="grow">
        <Link href={addressOfStream(id)}>
          <strong>{spec.alias}</strong>
        </Link>
        <div className="hint">
          {graph_id === null
            ? `a pipeline of its own, ${counted(spec.pipeline.nodes.length, 'node')}`
            : `${stored ? nameOf(stored) : graph_id}, slot ${slot}`}
        </div>
        {fault && <ProblemNote problem={fault} />}
      </div>
      <State state={status.state} />
    </li>
  )
}

/** Nothing, where no other device has a stream. */
const RemoteStreamsCard = () => {
  const all = useKnownOf(streams, ({ value }) => value)?.filter(isRemote) ?? []
  const known = useKnownOf(peers, ({ value }) => value)
  if (all.length === 0) return null
  return (
    <Card title="What streams of other devices run" side={<span className="hint">changed there</span>}>
      <ul className="list" aria-label="Pipelines of streams of other devices">
        {all.map(({ id, spec, status, origin, compute }) => (
          <li key={id}>
            <div className="grow">
              <Link href={addressOfStream(id)}>
                <strong>{spec.alias}</strong>
              </Link>
              <div className="hint">
                remote native stream on {known?.find((peer) => peer.id === origin.peer_id)?.name ?? origin.peer_id}
              </div>
            </div>
            <State state={compute} />
            <State state={origin.stale ? 'stale' : status.state} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

const TemplatesCard = ({ onUse }: { readonly onUse: (graph: Graph) => Promise<void> }) => {
  const { value, problem } = useKnown(templates)
  const { value: types } = useKnown(nodeTypes)
  const { state, write } = useWrite()
  const use = async (id: string) => {
    const answer = await write(() => readTemplate(id))
    if (!answer.ok) return
    const { graph, name } = answer.value
    await onUse({ ...graph, name, ...(types && { layout: { ...arranged(graph, types) } }) })
  }
  return (
    <Card title="Begin with a template">
      {problem && <ProblemNote problem={problem} />}
      {state.state === 'refused' && <WriteNote state={state} />}
      <ul className="list" aria-label="Templates">
        {value?.map(({ id, name, description }) => (
          <li key={id}>
            <Workflow size={18} aria-hidden className="quiet" />
            <div className="grow">
              <strong>{name}</strong>
              <p className="hint">{description}</p>
            </div>
            <Button aria-label={`Use ${name}`} onClick={() => void use(id)}>
              Use
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
