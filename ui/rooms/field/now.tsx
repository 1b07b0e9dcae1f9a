// Where the robot is on the field, as all cameras together see it and as each stream does.
import { useMemo } from 'react'
import type { Documents } from '../../api/client.ts'
import { Alert, Empty, ProblemNote, Tabs } from '../../parts/parts.tsx'
import { peers, rig, session } from '../../state/device.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { localizationConfig } from '../../state/localization-config.ts'
import { maps, useMap } from '../../state/maps.ts'
import { type AnyStream, isRemote, type Stream, shownOnce, streams } from '../../state/streams.ts'
import { LAYERS, useChoices, type View } from './choices.ts'
import { type Chosen, Drawing } from './drawing.tsx'
import { RobotFigures } from './figures.tsx'
import { JointCameras } from './joint-cameras.tsx'
import { JointCard } from './joint-card.tsx'
import { JointTags } from './joint-tags.tsx'
import { MapCard } from './map-card.tsx'
import { nameOf, resultsIdOf, streamOfRobot } from './seen-streams.ts'
import { StreamChoice } from './stream-choice.tsx'
import { useJoint } from './use-joint.ts'

const NAMES: Readonly<Record<View, string>> = {
  above: 'Above',
  '3d': '3D',
  blue: 'Blue station',
  red: 'Red station',
  camera: 'Camera',
}

/** With these there is something to say of all cameras together, until somebody chooses. */
const SHOWN_FIRST: ReadonlySet<string> = new Set(['tracking', 'coasting', 'lost'])

const NO_IDS: readonly string[] = []

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

/** The streams of this device, as the joint pose takes them. */
const useJointStreams = (all: readonly AnyStream[], size: Documents['RobotDimensions'] | undefined) =>
  useMemo(() => all.filter(isOwn).map((stream) => streamOfRobot(stream, size, [])), [all, size])

/** Where the robot is now. */
export const FieldNow = () => {
  const { choices, choose } = useChoices()
  const { value, problem } = useKnown(streams)
  const all = value ?? NONE
  const together = useKnownOf(localizationConfig, ({ value, problem }) => value?.status.state ?? problem?.code)
  const config = useKnownOf(localizationConfig, ({ value }) => value?.spec)
  const isJoint = choices.isJoint ?? (together !== undefined && SHOWN_FIRST.has(together))
  const ids = choices.streams ?? (isJoint || together === undefined ? NO_IDS : firstOf(all))
  const { looked, chosen, size, nameOf } = useChosen(all, ids)
  const jointStreams = useJointStreams(all, size)
  const { slot, offsets, isHeadingOff } = useJoint(isJoint)
  const solvedMap = isJoint ? slot?.solve.map?.id : undefined
  const mapId = choices.map ?? solvedMap ?? looked.map(mapIdOf).find((id) => id !== undefined) ?? 'demo'
  const map = useMap(mapId)
  const list = useKnown(maps)
  const mayWrite = useKnownOf(session, ({ value }) => value?.may.includes('operate') ?? false)
  const trouble = problem ?? map.problem ?? list.problem
  const hidden = Object.keys(LAYERS).filter((layer) => !choices.layers[layer as keyof typeof LAYERS])
  const toggle = (layer: string) => {
    const next = hidden.includes(layer) ? hidden.filter((each) => each !== layer) : [...hidden, layer]
    choose('hide', next.length > 0 ? next.join() : undefined)
  }
  const nameOfId = (id: string) => jointStreams.find((stream) => stream.id === id)?.name ?? id
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
          isJoint={isJoint}
          nameOf={nameOf}
          onChoose={(next) => choose('stream', next.join())}
          onChooseJoint={(isChosen) => choose('together', isChosen ? 'yes' : 'no')}
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
              content: () =>
                map.value && (
                  <Drawing
                    map={map.value}
                    chosen={chosen}
                    joint={isJoint ? { streams: jointStreams, size } : undefined}
                    choices={choices}
                  />
                ),
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
          {isJoint && slot && (
            <JointCard
              slot={slot}
              mapName={list.value?.items.find(({ id }) => id === slot.solve.map?.id)?.name}
              isHeadingOff={isHeadingOff}
              maxStdM={config?.gate.max_std_m}
            />
          )}
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
        {isJoint && slot && slot.solve.state !== 'off' && (
          <div className="field-why">
            <JointCameras solve={slot.solve} offsets={offsets} nameOf={nameOfId} />
            <JointTags solve={slot.solve} nameOf={nameOfId} />
          </div>
        )}
      </div>
    </>
  )
}
