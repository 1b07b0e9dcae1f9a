// One stream: its picture, what was found in it, and everything that can be set.
import { useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { GuardNote } from '../../parts/guard-line.tsx'
import { Alert, Card, Empty, ProblemNote, State, Tabs } from '../../parts/parts.tsx'
import { useKnown } from '../../state/live.ts'
import { type AnyStream, faultsOf, isRemote, streams } from '../../state/streams.ts'
import { ControlsTab } from './controls.tsx'
import { FaultsTab, RemoteFaultsTab } from './faults.tsx'
import { FrameTimes } from './frame-times.tsx'
import { Keep } from './keep.tsx'
import { LensNote } from './lens-note.tsx'
import { ModeTab } from './mode.tsx'
import { NowTab } from './now.tsx'
import { OnField } from './on-field.tsx'
import { PictureCard } from './picture-card.tsx'
import { OwnPipelineTab } from './pipeline.tsx'
import { RemotePipelineTab } from './pipeline-remote.tsx'
import { PeerSourceNote, RemoteNote } from './remote.tsx'
import { RobotNote } from './robot-note.tsx'
import { SettingsTab } from './settings.tsx'
import { createShown, type Shown } from './shown-frame.ts'
import { type StreamTarget, useTarget } from './target.ts'

const Head = ({ stream, target }: { readonly stream: AnyStream; readonly target: StreamTarget }) => {
  const { spec, status, revision } = stream
  const table = isRemote(stream) ? null : stream.status.extcam_table
  return (
    <div className="page-head">
      <Link href="/streams">Streams</Link>
      <span aria-hidden>/</span>
      <h1>{spec.alias}</h1>
      <State state={status.state} />
      <span className="hint">
        revision <strong>{revision}</strong>
        {target.device && ` on ${target.device}`}
      </span>
      {table !== null && (
        <span className="hint">
          robot finds it at <strong>{table}</strong>
        </span>
      )}
      <div className="right">
        <Keep stream={stream} target={target} />
      </div>
    </div>
  )
}

/** Why it does not do what is wanted of it. */
const Trouble = ({ stream }: { readonly stream: AnyStream }) => {
  const { fault: own, pipelineFault } = faultsOf(stream)
  const fault = own ?? pipelineFault
  if (!fault) return null
  return (
    <Alert tone="bad">
      <ProblemNote problem={fault} />
    </Alert>
  )
}

interface PartsProps {
  readonly stream: AnyStream
  readonly target: StreamTarget
  readonly shown: Shown
}

const hasTrouble = (stream: AnyStream): boolean => {
  const { fault, pipelineFault } = faultsOf(stream)
  return fault !== null || pipelineFault !== null || (!isRemote(stream) && stream.status.warnings.length > 0)
}

const tabsOf = ({ stream, target, shown }: PartsProps) => [
  { id: 'now', name: 'Now', content: () => <NowTab shown={shown} /> },
  { id: 'controls', name: 'Controls', content: () => <ControlsTab target={target} /> },
  ...(isRemote(stream)
    ? [{ id: 'pipeline', name: 'Pipeline', content: () => <RemotePipelineTab stream={stream} target={target} /> }]
    : [
        { id: 'mode', name: 'Mode', content: () => <ModeTab stream={stream} target={target} /> },
        { id: 'pipeline', name: 'Pipeline', content: () => <OwnPipelineTab stream={stream} target={target} /> },
      ]),
  {
    id: 'faults',
    name: hasTrouble(stream) ? 'Faults (!)' : 'Faults',
    content: () =>
      isRemote(stream) ? <RemoteFaultsTab stream={stream} device={target.device} /> : <FaultsTab stream={stream} />,
  },
  { id: 'settings', name: 'Settings', content: () => <SettingsTab stream={stream} target={target} /> },
]

const Parts = ({ stream }: { readonly stream: AnyStream }) => {
  const target = useTarget(stream)
  const [query, setQuery] = useSearchParams()
  const [shown] = useState(createShown)
  const choose = (id: string) =>
    setQuery(
      (before) => {
        before.set('tab', id)
        return before
      },
      { replace: true },
    )
  return (
    <>
      <Head stream={stream} target={target} />
      {isRemote(stream) ? <RemoteNote stream={stream} target={target} /> : <PeerSourceNote stream={stream} />}
      <Trouble stream={stream} />
      {!isRemote(stream) && <LensNote stream={stream} />}
      {!isRemote(stream) && <GuardNote id={stream.id} guard={stream.status.guard} />}
      {!isRemote(stream) && <RobotNote stream={stream} />}
      <div className={isRemote(stream) && stream.origin.stale ? 'streams-one is-old' : 'streams-one'}>
        <PictureCard stream={stream} target={target} shown={shown} />
        <div className="streams-side">
          <Card label="About the stream">
            <Tabs
              label="About the stream"
              chosen={query.get('tab') ?? 'now'}
              onChoose={choose}
              tabs={tabsOf({ stream, target, shown })}
            />
          </Card>
          {!isRemote(stream) && <OnField stream={stream} shown={shown} />}
        </div>
        {!isRemote(stream) && (
          <div className="streams-times">
            <FrameTimes stream={stream} />
          </div>
        )}
      </div>
    </>
  )
}

/** The page of one stream. id: as the list of streams has it. */
export const StreamPage = ({ id }: { readonly id: string }) => {
  const { value, problem } = useKnown(streams)
  const [address] = useLocation()
  const stream = value?.find((each) => each.id === id)
  if (stream) return <Parts stream={stream} />
  return (
    <>
      <h1 className="only-read-aloud">Stream {id}</h1>
      {problem && <ProblemNote problem={problem} />}
      {value && (
        <Card>
          <Empty action={<Link href="/streams">See all streams</Link>}>
            There is no stream {id} (any more): {address} leads nowhere.
          </Empty>
        </Card>
      )}
      {!value && !problem && <p className="hint">Loading</p>}
    </>
  )
}
