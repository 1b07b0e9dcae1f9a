// The editor of a pipeline: nodes to add at the left, the graph in the middle, what was chosen at the right.
import { ReactFlowProvider } from '@xyflow/react'
import { type KeyboardEvent, type RefObject, useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useQueryChoices } from '../../state/query-choices.ts'
import { useOwnStreams, useRemoteStream, wantedPipeline } from '../../state/streams.ts'
import { arranged, placesOf } from './arrange.ts'
import { Beside } from './beside.tsx'
import { Canvas } from './canvas.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import type { Edit } from './edit.ts'
import { EditorContext, useEditor, useGraph } from './editor-context.ts'
import { Head } from './editor-head.tsx'
import { isTyping, useEditorKeys } from './editor-keys.ts'
import { Side } from './editor-side.tsx'
import { type Edge, type NodeTypes, nodeOf, withNode, withoutEdge, withPlaces } from './graph.ts'
import { NodeList } from './node-list.tsx'
import { Palette } from './palette.tsx'
import { useReport } from './report.ts'
import { useSamples } from './samples.ts'
import { Theirs, useSave } from './save.tsx'
import type { Subject } from './subject.ts'
import { useTimes } from './times.ts'
import { TrialNote, TryOn, useTrial } from './try-on.tsx'
import { useChosenNodes } from './use-nodes-chosen.ts'

interface EditorProps {
  readonly subject: Subject
  readonly edit: Edit
  readonly types: NodeTypes
}

const NONE: readonly string[] = []

/** The editor. */
export const Editor = ({ subject, edit, types }: EditorProps) => {
  const graph = useGraph(edit)
  const [search, chooseInQuery] = useQueryChoices()
  const named = search.get('node') ?? ''
  const selected = useMemo(() => (named === '' ? NONE : named.split(',')), [named])
  const chosen = selected.length === 1 ? selected[0] : undefined
  const tried = subject.remote ? undefined : (subject.streamId ?? search.get('on') ?? undefined)
  const checked = useReport(graph, tried)
  const [connecting, setConnecting] = useState<string>()
  const [said, setSaid] = useState('')
  const select = useCallback((ids: readonly string[]) => chooseInQuery('node', ids.join()), [chooseInQuery])
  const choose = useCallback((id: string | undefined) => select(id === undefined ? [] : [id]), [select])
  const canvas = useRef<HTMLDivElement>(null)
  const focusGraph = () => canvas.current?.focus()
  const nodes = useChosenNodes({ edit, types, selected, select, say: setSaid, focusGraph })
  const parts = useMemo(
    () => ({
      edit,
      types,
      checked,
      chosen,
      choose,
      selected,
      select,
      nodes,
      connectFrom: setConnecting,
      say: setSaid,
    }),
    [edit, types, checked, chosen, choose, selected, select, nodes],
  )
  return (
    <EditorContext value={parts}>
      <ReactFlowProvider>
        <Opened subject={subject} said={said} streamId={tried} canvas={canvas} />
      </ReactFlowProvider>
      {connecting !== undefined && nodeOf(graph, connecting) && (
        <ConnectDialog id={connecting} onClose={() => setConnecting(undefined)} />
      )}
    </EditorContext>
  )
}

const PHONE = matchMedia('(max-width: 640px)')
const onPhoneChange = (listener: () => void) => {
  PHONE.addEventListener('change', listener)
  return () => PHONE.removeEventListener('change', listener)
}
const useIsPhone = (): boolean => useSyncExternalStore(onPhoneChange, () => PHONE.matches)

interface OpenedProps {
  readonly subject: Subject
  readonly said: string
  /** The stream that is looked at beside the graph. */
  readonly streamId: string | undefined
  readonly canvas: RefObject<HTMLDivElement | null>
}

const Opened = ({ subject, said, streamId, canvas }: OpenedProps) => {
  const { edit, types, chosen, choose, selected, select, nodes, connectFrom } = useEditor()
  const graph = useGraph(edit)
  const saving = useSave(subject)
  const isKept = subject.streamId !== undefined
  const trial = useTrial(streamId, isKept)
  const stream = useOwnStreams()?.find(({ id }) => id === streamId)
  const { times, measure } = useTimes(stream)
  const remote = useRemoteStream(subject.remote?.listedId)
  const running = (stream && wantedPipeline(stream)) ?? (remote && subject.saved.graph)
  const { samples, hear } = useSamples(running?.outputs)
  const shown = stream ?? remote
  const beside = shown && running && (
    <>
      <Beside stream={shown} running={running} onMeasure={stream && (() => void measure())} onFrame={hear} />
      <TrialNote trial={trial} alias={shown.spec.alias} isKept={isKept} />
    </>
  )
  const isPhone = useIsPhone()
  const [chosenEdge, setChosenEdge] = useState<Edge>()
  const [fit, setFit] = useState(0)
  /** Nodes are gathered by the space bar: what has the focus is not chosen by that then. */
  const isGathering = useRef(false)
  const side = useRef<HTMLDivElement>(null)
  const now = () => edit.getSnapshot().context.history.now

  const layOut = () => {
    edit.trigger.changed({ graph: withPlaces(graph, arranged(graph, types)) })
    setFit((times) => times + 1)
  }
  const add = (type: string) => {
    const places = placesOf(graph, types)
    const right = Math.max(0, ...Object.values(places).map(({ x }) => x + 260))
    const top = Math.min(...Object.values(places).map(({ y }) => y), 0)
    const { graph: next, id } = withNode(withPlaces(graph, places), type, { x: right, y: top })
    edit.trigger.changed({ graph: next })
    choose(id)
    setFit((times) => times + 1)
  }
  const remove = () => {
    if (chosenEdge) edit.trigger.changed({ graph: withoutEdge(now(), chosenEdge) })
    else nodes.remove()
    setChosenEdge(undefined)
    canvas.current?.focus() // what had it is gone
  }
  useEditorKeys(edit, saving.save)
  /** Keys of the graph. */
  const takeGraphKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, target } = event
    if (ctrlKey || metaKey || isTyping(target)) return
    if (key === 'Delete' || key === 'Backspace') remove()
    if (key === 'Escape' && selected.length > 0) {
      isGathering.current = false
      choose(undefined)
    }
    if (key.toLowerCase() === 'c' && chosen !== undefined) {
      event.preventDefault() // else it is typed into the search
      connectFrom(chosen)
    }
    if (key === 'Enter' && target instanceof HTMLElement && target.matches('.react-flow__node'))
      requestAnimationFrame(() =>
        side.current?.querySelector<HTMLElement>('.node-form :is(input, select, textarea, button)')?.focus(),
      )
  }
  /** The space bar takes one more node, or one less. */
  const gather = (event: KeyboardEvent) => {
    const id = event.key === ' ' ? nodeIdAt(event.target) : undefined
    if (id === undefined) return
    event.preventDefault()
    event.stopPropagation()
    // the first one is chosen by having the focus
    const isFirst = !isGathering.current && selected.length < 2
    isGathering.current = true
    if (!isFirst) select(selected.includes(id) ? selected.filter((each) => each !== id) : [...selected, id])
  }
  /** Chooses the node to which somebody has gone by keys. What is pressed is chosen by the press. */
  const follow = (target: Element) => {
    const id = nodeIdAt(target)
    if (id === undefined) return
    setChosenEdge(undefined)
    if (selected.length < 2 && !isGathering.current && target.matches(':focus-visible') && id !== chosen) choose(id)
  }
  return (
    <div className="pipeline-editor">
      <Head subject={subject} saving={saving} onLayOut={layOut}>
        {!subject.remote && <TryOn streamId={streamId} trial={trial} isKept={isKept} />}
      </Head>
      <Theirs saving={saving} />
      {isPhone ? (
        <>
          <Said text={said} />
          {beside}
          <NodeList onAdd={add} />
        </>
      ) : (
        <div className="pipeline-room">
          <Palette onAdd={add} />
          {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the node that has the focus */}
          <div
            className="card pipeline-canvas"
            ref={canvas}
            tabIndex={-1}
            onKeyDown={takeGraphKey}
            onKeyDownCapture={gather}
            onPointerDownCapture={() => {
              isGathering.current = false
            }}
            onFocusCapture={({ target }) => follow(target)}
          >
            <Said text={said} />
            <Canvas samples={samples} times={times} chosenEdge={chosenEdge} onChooseEdge={setChosenEdge} fit={fit} />
          </div>
          <div className="stack pipeline-side" ref={side}>
            {beside}
            <Side subject={subject} stream={stream} />
          </div>
        </div>
      )}
    </div>
  )
}

/** The node that has the focus. */
const nodeIdAt = (target: EventTarget): string | undefined =>
  target instanceof Element && target.matches('.react-flow__node')
    ? (target.getAttribute('data-id') ?? undefined)
    : undefined

/** What was said last: why a wire does not fit. */
const Said = ({ text }: { readonly text: string }) => (
  <p className="said" role="status">
    {text}
  </p>
)
