// The editor of a pipeline: nodes to add at the left, the graph in the middle, what was chosen at the right.
import { ReactFlowProvider } from '@xyflow/react'
import { LayoutGrid, Redo2, Undo2 } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link, useSearchParams } from 'wouter'
import { Button, Pill, Tabs } from '../../parts/parts.tsx'
import { type Stream, useOwnStreams } from '../../state/streams.ts'
import { counted } from '../../words.ts'
import { arranged, placesOf } from './arrange.ts'
import { Beside } from './beside.tsx'
import { Canvas } from './canvas.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import type { Edit } from './edit.ts'
import { EditorContext, useEdited, useEditor, useGraph } from './editor-context.ts'
import { type Edge, type NodeTypes, nodeOf, withNode, withoutEdge, withoutNode, withPlaces } from './graph.ts'
import { NodeForm } from './node-form.tsx'
import { NodeList } from './node-list.tsx'
import { Palette } from './palette.tsx'
import { PipelineForm } from './pipeline-form.tsx'
import { Problems } from './problems.tsx'
import { useReport } from './report.ts'
import { useSamples } from './samples.ts'
import { SaveButton, Theirs, useSave } from './save.tsx'
import { Slots } from './slots.tsx'
import type { Subject } from './subject.ts'
import { useTimes } from './times.ts'
import { TrialNote, TryOn, useTrial } from './try-on.tsx'

interface EditorProps {
  readonly subject: Subject
  readonly edit: Edit
  readonly types: NodeTypes
}

/** The editor. */
export const Editor = ({ subject, edit, types }: EditorProps) => {
  const graph = useGraph(edit)
  const [search, setSearch] = useSearchParams()
  const chosen = search.get('node') ?? undefined
  const tried = subject.streamId ?? search.get('on') ?? undefined
  const checked = useReport(graph, tried)
  const [connecting, setConnecting] = useState<string>()
  const [said, setSaid] = useState('')
  const choose = useCallback(
    (id: string | undefined) =>
      setSearch(
        (now) => {
          if (id === undefined) now.delete('node')
          else now.set('node', id)
          return now
        },
        { replace: true },
      ),
    [setSearch],
  )
  const parts = useMemo(
    () => ({ edit, types, checked, chosen, choose, connectFrom: setConnecting, say: setSaid }),
    [edit, types, checked, chosen, choose],
  )
  return (
    <EditorContext value={parts}>
      <ReactFlowProvider>
        <Opened subject={subject} said={said} streamId={tried} />
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

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=range], [type=checkbox]), textarea, select')

interface OpenedProps {
  readonly subject: Subject
  readonly said: string
  /** The stream that is looked at beside the graph. */
  readonly streamId: string | undefined
}

const Opened = ({ subject, said, streamId }: OpenedProps) => {
  const { edit, types, chosen, choose, connectFrom } = useEditor()
  const graph = useGraph(edit)
  const saving = useSave(subject)
  const isKept = subject.streamId !== undefined
  const trial = useTrial(streamId, isKept)
  const stream = useOwnStreams()?.find(({ id }) => id === streamId)
  const { times, measure } = useTimes(stream)
  const { samples, hear } = useSamples(stream)
  const beside = stream && (
    <>
      <Beside stream={stream} onMeasure={() => void measure()} onFrame={hear} />
      <TrialNote trial={trial} alias={stream.spec.alias} isKept={isKept} />
    </>
  )
  const isPhone = useIsPhone()
  const [chosenEdge, setChosenEdge] = useState<Edge>()
  const [fit, setFit] = useState(0)
  const side = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
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
    else if (chosen !== undefined) {
      edit.trigger.changed({ graph: withoutNode(now(), chosen) })
      choose(undefined)
    }
    setChosenEdge(undefined)
    canvas.current?.focus() // what had it is gone
  }
  const { save } = saving
  useEffect(() => {
    // of the whole page: what had the focus may be gone by then
    const takeKey = (event: globalThis.KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, target } = event
      if (!(ctrlKey || metaKey)) return
      const letter = key.toLowerCase()
      if (letter === 's') {
        event.preventDefault()
        void save()
      }
      if (isTyping(target) || !['z', 'y'].includes(letter)) return
      event.preventDefault()
      if (letter === 'y' || shiftKey) edit.trigger.redone()
      else edit.trigger.undone()
    }
    addEventListener('keydown', takeKey)
    return () => removeEventListener('keydown', takeKey)
  }, [edit, save])
  /** Keys of the graph. */
  const takeGraphKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, target } = event
    if (ctrlKey || metaKey || isTyping(target)) return
    if (key === 'Delete' || key === 'Backspace') remove()
    if (key.toLowerCase() === 'c' && chosen !== undefined) {
      event.preventDefault() // else it is typed into the search
      connectFrom(chosen)
    }
    if (key === 'Enter' && target instanceof HTMLElement && target.matches('.react-flow__node'))
      requestAnimationFrame(() =>
        side.current?.querySelector<HTMLElement>('.node-form :is(input, select, textarea, button)')?.focus(),
      )
  }
  return (
    <div className="pipeline-editor">
      <Head subject={subject} saving={saving} onLayOut={layOut}>
        <TryOn streamId={streamId} trial={trial} isKept={isKept} />
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
            onFocusCapture={({ target }) => {
              const id = target.matches('.react-flow__node') ? target.getAttribute('data-id') : null
              if (id !== null && id !== chosen) choose(id)
              if (id !== null) setChosenEdge(undefined)
            }}
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

/** What was said last: why a wire does not fit. */
const Said = ({ text }: { readonly text: string }) => (
  <p className="said" role="status">
    {text}
  </p>
)

interface HeadProps {
  readonly subject: Subject
  readonly saving: ReturnType<typeof useSave>
  readonly onLayOut: () => void
  readonly children: ReactNode
}

const Head = ({ subject, saving, onLayOut, children }: HeadProps) => {
  const { edit } = useEditor()
  const hasPast = useEdited(edit, ({ history }) => history.past.length > 0 || history.held !== undefined)
  const hasFuture = useEdited(edit, ({ history }) => history.future.length > 0)
  return (
    <div className="page-head">
      <nav aria-label="Where this is" className="row">
        <Link href="/pipelines">Pipelines</Link>
        <span aria-hidden>/</span>
      </nav>
      <h1>{subject.name}</h1>
      <Verdict />
      <div className="right">
        <Button
          icon={<Undo2 size={18} aria-hidden />}
          aria-label="Undo"
          title="Ctrl+Z"
          disabled={!hasPast}
          onClick={() => edit.trigger.undone()}
        />
        <Button
          icon={<Redo2 size={18} aria-hidden />}
          aria-label="Redo"
          title="Ctrl+Shift+Z"
          disabled={!hasFuture}
          onClick={() => edit.trigger.redone()}
        />
        <Button icon={<LayoutGrid size={18} aria-hidden />} onClick={onLayOut}>
          Lay out
        </Button>
        {children}
        <SaveButton saving={saving} />
      </div>
    </div>
  )
}

const Verdict = () => {
  const { checked } = useEditor()
  const { report } = checked
  if (!report) return null
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error').length
  return report.runnable ? <Pill tone="good">can run</Pill> : <Pill tone="bad">{counted(errors, 'error')}</Pill>
}

const Side = ({ subject, stream }: { readonly subject: Subject; readonly stream: Stream | undefined }) => {
  const { chosen, checked, edit } = useEditor()
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
            name: chosen === undefined ? 'Pipeline' : 'Node',
            content: () =>
              chosen !== undefined && nodeOf(graph, chosen) ? <NodeForm key={chosen} id={chosen} /> : <PipelineForm />,
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
