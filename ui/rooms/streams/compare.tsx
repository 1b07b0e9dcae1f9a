// Two streams side by side, or two pictures of one, with what tells them apart.
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { Card, Empty, Field, Figure, Figures, State } from '../../parts/parts.tsx'
import { useKnown } from '../../state/live.ts'
import { type AnyStream, isRemote, streams, useFigures } from '../../state/streams.ts'
import { streamAddress } from './describe.ts'
import { Differences } from './differences.tsx'
import { robotOf, tagsOf } from './found.ts'
import { HoldBar } from './hold-bar.tsx'
import { type OverlaySwitches, useOverlay } from './overlay-switches.tsx'
import { createShown, type Shown, useShown } from './shown-frame.ts'
import { StreamPicture } from './stream-picture.tsx'
import { type Holding, KEPT_FRAMES, useHold } from './use-hold.ts'
import { useOutputs } from './use-outputs.ts'

type Side = 'left' | 'right'

/** `front` with its camera's picture, or with an output of its pipeline: both stand in the address. */
interface Choice {
  readonly id: string
  readonly output: string | undefined
}

const useChoice = (side: Side, fallback: string) => {
  const [query, setQuery] = useSearchParams()
  const choice: Choice = { id: query.get(side) ?? fallback, output: query.get(`${side}_output`) ?? undefined }
  const choose = ({ id, output }: Choice) =>
    setQuery(
      (before) => {
        before.set(side, id)
        if (output === undefined) before.delete(`${side}_output`)
        else before.set(`${side}_output`, output)
        return before
      },
      { replace: true },
    )
  return [choice, choose] as const
}

interface PaneProps {
  readonly side: Side
  readonly all: readonly AnyStream[]
  readonly choice: Choice
  readonly choose: (choice: Choice) => void
  readonly overlay: OverlaySwitches
  readonly shown: Shown
  readonly holding: Holding
}

const PaneFigures = ({ stream, shown }: { readonly stream: AnyStream; readonly shown: Shown }) => {
  const facts = useShown(shown)
  const figures = useFigures(stream.id)
  const robot = facts && robotOf(facts)
  return (
    <Figures>
      <Figure name="rate" value={figures?.fps ?? stream.status.fps} digits={1} unit="fps" />
      <Figure name="latency" value={figures?.latency_ms} digits={1} unit="ms" />
      <Figure name="tags" value={facts && tagsOf(facts).length} />
      <Figure name="x" value={robot?.xM} digits={2} unit="m" />
      <Figure name="y" value={robot?.yM} digits={2} unit="m" />
      <Figure name="yaw" value={robot?.yawDeg} digits={1} unit="°" />
    </Figures>
  )
}

const Pane = ({ side, all, choice, choose, overlay, shown, holding }: PaneProps) => {
  const stream = all.find(({ id }) => id === choice.id)
  const outputs = useOutputs(stream)
  const { width_px, height_px } = stream?.status ?? { width_px: null, height_px: null }
  const name = side === 'left' ? 'Left' : 'Right'
  return (
    <Card label={`${name} stream`}>
      <div className="streams-pane-head">
        <Field name={name}>
          {(id) => (
            <select
              id={id}
              className="input"
              value={stream?.id ?? ''}
              onChange={({ target }) => choose({ id: target.value, output: undefined })}
            >
              {!stream && <option value="">Choose one</option>}
              {all.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.spec.alias}
                  {isRemote(each) && ` on ${each.origin.peer_id}`}
                </option>
              ))}
            </select>
          )}
        </Field>
        {outputs.length > 0 && (
          <Field name="Picture">
            {(id) => (
              <select
                id={id}
                className="input"
                value={choice.output ?? ''}
                onChange={({ target }) => choose({ id: choice.id, output: target.value || undefined })}
              >
                <option value="">of the camera</option>
                {outputs.map((port) => (
                  <option key={port} value={port}>
                    {port}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {stream && <State state={stream.status.state} />}
      </div>
      {stream ? (
        <>
          <div
            className="streams-stage"
            style={{ aspectRatio: width_px && height_px ? `${width_px} / ${height_px}` : '16 / 10' }}
          >
            <StreamPicture
              key={`${stream.id} ${choice.output}`}
              stream={stream}
              overlay={overlay}
              output={choice.output}
              onFrame={shown.take}
              keep={KEPT_FRAMES}
              hold={holding.holdOf(side)}
              onKept={holding.onKept[side]}
            />
          </div>
          <div className="card-body">
            <PaneFigures stream={stream} shown={shown} />
            <p className="hint">
              <Link href={streamAddress(stream.id)}>Open {stream.spec.alias}</Link>
            </p>
          </div>
        </>
      ) : (
        <Empty>Choose a stream.</Empty>
      )}
    </Card>
  )
}

/** The page. */
export const ComparePage = () => {
  const { value: all } = useKnown(streams)
  const { overlay, switches } = useOverlay()
  const [left, chooseLeft] = useChoice('left', all?.[0]?.id ?? '')
  const [right, chooseRight] = useChoice('right', all?.[1]?.id ?? all?.[0]?.id ?? '')
  const [shownLeft] = useState(createShown)
  const [shownRight] = useState(createShown)
  const holding = useHold(left.id === right.id)
  /** Frames of another picture belong to nothing that is held. */
  const choosing = (choose: (choice: Choice) => void) => (choice: Choice) => {
    holding.end()
    choose(choice)
  }
  const panes = { all: all ?? [], overlay, holding }
  return (
    <>
      <div className="page-head">
        <Link href="/streams">Streams</Link>
        <span aria-hidden>/</span>
        <h1>Compare</h1>
        <div className="right">{switches}</div>
      </div>
      {all?.length === 0 && (
        <Card>
          <Empty action={<Link href="/streams">Add a stream</Link>}>There is no stream to compare yet.</Empty>
        </Card>
      )}
      {all && all.length > 0 && (
        <>
          <HoldBar holding={holding} />
          <div className="streams-compare">
            <Pane {...panes} side="left" choice={left} choose={choosing(chooseLeft)} shown={shownLeft} />
            <Pane {...panes} side="right" choice={right} choose={choosing(chooseRight)} shown={shownRight} />
          </div>
          <Differences
            isOneStream={left.id === right.id}
            left={shownLeft}
            right={shownRight}
            ids={[left.id, right.id]}
          />
        </>
      )}
    </>
  )
}
