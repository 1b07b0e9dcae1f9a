// Where the robot is on the field, as each stream sees it.
import { useMemo } from 'react'
import { Alert, Empty, ProblemNote, Tabs } from '../../parts/parts.tsx'
import { peers, rig, session } from '../../state/device.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { maps, useMap } from '../../state/maps.ts'
import { type AnyStream, isRemote, type Stream, shownOnce, streams } from '../../state/streams.ts'
import { LAYERS, useChoices, type View } from './choices.ts'
import { type Chosen, Drawing } from './drawing.tsx'
import { RobotFigures } from './figures.tsx'
import { MapCard } from './map-card.tsx'
import { nameOf, resultsIdOf, streamOfRobot } from './seen-streams.ts'
import { StreamChoice } from './stream-choice.tsx'

const NAMES: Readonly<Record<View, string>> = {
  above: 'Above',
  '3d': '3D',
  blue: 'Blue station',
  red: 'Red station',
  camera: 'Camera',
}

const isOwn = (stream: AnyStream): stream is Stream => !isRemote(stream)

/** Who says where the robot is must know where its camera sits, and look. */
const rankOf = (stream: AnyStream): number => {
  const [isLive, hasPlace] = [stream.status.state === 'live', isOwn(stream) && stream.spec.pose !== undefined]
  return (isOwn(stream) ? 4 : 0) + (hasPlace ? 2 : 0) + (isLive ? 1 : 0)
}

/** Whom nobody has chosen: the stream that knows best where the robot is; the first one of those. */
const firstOf = (all: readonly AnyStream[]): readonly string[] =>
  all
    .toSorted((one, other) => rankOf(other) - rankOf(one))
    .slice(0, 1)
    .map(({ id }) => id)

const mapIdOf = (stream: AnyStream): string | undefined => (isRemote(stream) ? undefined : stream.spec.map_id)

/** One that is worked on here stands there as that alone, unless somebody has chosen it. */
const offered = (all: readonly AnyStream[], ids: readonly string[]): readonly AnyStream[] => {
  const once = new Set(shownOnce(all))
  return all.filter((stream) => once.has(stream) || ids.includes(stream.id))
}

const NO_PEERS: readonly never[] = []

/** The streams that are looked at, as the field takes them. */
const useChosen = (all: readonly AnyStream[], ids: readonly string[]) => {
  const size = useKnownOf(rig, ({ value }) => value?.robot)
  const others = useKnownOf(peers, ({ value }) => value) ?? NO_PEERS
  const key = ids.join()
  return useMemo(() => {
    const looked = all.filter(({ id }) => key.split(',').includes(id))
    const chosen: readonly Chosen[] = looked.map((stream) => ({
      stream: streamOfRobot(stream, size, others),
      resultsId: resultsIdOf(stream),
    }))
    return { looked, chosen, size, nameOf: (stream: AnyStream) => nameOf(stream, others) }
  }, [all, key, size, others])
}

const NONE: readonly AnyStream[] = []

const FieldPage = () => {
  const { choices, choose } = useChoices()
  const { value, problem } = useKnown(streams)
  const all = value ?? NONE
  const ids = choices.streams ?? firstOf(all)
  const { looked, chosen, nameOf } = useChosen(all, ids)
  const mapId = choices.map ?? looked.map(mapIdOf).find((id) => id !== undefined) ?? 'demo'
  const map = useMap(mapId)
  const list = useKnown(maps)
  const mayWrite = useKnownOf(session, ({ value }) => value?.may.includes('operate') ?? false)
  const trouble = problem ?? map.problem ?? list.problem
  const hidden = Object.keys(LAYERS).filter((layer) => !choices.layers[layer as keyof typeof LAYERS])
  const toggle = (layer: string) => {
    const next = hidden.includes(layer) ? hidden.filter((each) => each !== layer) : [...hidden, layer]
    choose('hide', next.length > 0 ? next.join() : undefined)
  }
  return (
    <>
      <h1>Field</h1>
      {trouble && <ProblemNote problem={trouble} />}
      {value?.length === 0 && (
        <Empty>
          There is no stream yet, so nobody says where the robot is. Plug in a camera: it shows in Overview.
        </Empty>
      )}
      {all.length > 0 && (
        <StreamChoice
          all={offered(all, ids)}
          chosen={ids}
          nameOf={nameOf}
          onChoose={(next) => choose('stream', next.join())}
        />
      )}
      {value &&
        ids
          .filter((id) => !all.some((stream) => stream.id === id))
          .map((id) => (
            <Alert key={id} tone="busy">
              There is no stream “{id}” here any more. Choose another one.
            </Alert>
          ))}
      <div className="field-room">
        <section className="card" aria-label="The field">
          <Tabs
            label="View"
            chosen={choices.view}
            onChoose={(view) => choose('view', view === 'above' ? undefined : view)}
            tabs={Object.entries(NAMES).map(([id, name]) => ({
              id,
              name,
              content: () => map.value && <Drawing map={map.value} chosen={chosen} choices={choices} />,
            }))}
          />
          <fieldset className="field-layers row">
            <legend className="only-read-aloud">What is drawn</legend>
            {Object.entries(LAYERS).map(([layer, name]) => (
              <label key={layer} className="row">
                <input type="checkbox" checked={!hidden.includes(layer)} onChange={() => toggle(layer)} />
                {name}
              </label>
            ))}
          </fieldset>
        </section>
        <div className="stack">
          {chosen.map(({ stream, resultsId }, n) => (
            <RobotFigures
              key={stream.id}
              stream={stream}
              resultsId={resultsId}
              state={looked[n]?.status.state ?? 'offline'}
            />
          ))}
          {list.value && map.value && (
            <MapCard
              list={list.value}
              map={map.value}
              others={looked.filter(isOwn).filter(({ spec }) => spec.map_id !== mapId)}
              mayWrite={mayWrite}
              onChoose={(id) => choose('map', id)}
            />
          )}
        </div>
      </div>
    </>
  )
}

export default FieldPage
