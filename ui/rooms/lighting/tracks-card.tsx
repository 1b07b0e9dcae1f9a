// The tracks of an animation: each with its time line, the keyframe that is edited, and the lights it is for.
import { useState } from 'react'
import { frameOf } from '../../../machines/lighting/frame.ts'
import { Button, Card } from '../../parts/parts.tsx'
import { ChoiceField, NumberField } from '../../parts/plain-fields.tsx'
import { type LightingAnimation, lightingConfig } from '../../state/lighting.ts'
import { useKnown } from '../../state/live.ts'
import {
  type Keyframe,
  MAX_KEYFRAMES,
  MAX_TRACKS,
  newTrack,
  type Placed,
  type Track,
  widestGap,
  withKeyframe,
  withNewKeyframe,
  withoutKeyframe,
} from './animation-draft.ts'
import { ColourField, LevelField } from './light-fields.tsx'
import { EASINGS } from './lighting-words.ts'
import { TimeLine } from './time-line.tsx'

interface KeyframeFieldsProps {
  readonly keyframe: Keyframe
  readonly name: string
  readonly isLast: boolean
  readonly duration_ms: number
  readonly onChange: (change: Partial<Keyframe>) => void
}

const KeyframeFields = ({ keyframe, name, isLast, duration_ms, onChange }: KeyframeFieldsProps) => (
  <fieldset className="lighting-show" aria-label={name}>
    <legend>{name}</legend>
    <NumberField
      name="Moment"
      unit="ms"
      value={Math.round(keyframe.at * duration_ms)}
      min={0}
      max={duration_ms}
      onChange={(at_ms) => onChange({ at: at_ms / duration_ms })}
    />
    <ColourField name="Colour" value={keyframe.colour} onChange={(colour) => onChange({ colour })} />
    <LevelField name="Brightness" value={keyframe.level} onChange={(level) => onChange({ level })} />
    {!isLast && (
      <ChoiceField
        name="On the way to the next it changes"
        value={keyframe.easing}
        choices={EASINGS}
        onChange={(easing) => onChange({ easing: easing as Keyframe['easing'] })}
      />
    )}
  </fieldset>
)

const EVERY = ''
const MAX_PIXELS = 1_024

const LightsOfTrack = ({
  track,
  onChange,
}: {
  readonly track: Track
  readonly onChange: (to: Partial<Track>) => void
}) => {
  const groups = useKnown(lightingConfig).value?.config.groups ?? []
  const names = new Set([...groups.map(({ name }) => name), ...(track.group === null ? [] : [track.group])])
  return (
    <details>
      <summary>Which lights, and whether it runs along them</summary>
      <div className="lighting-show">
        <ChoiceField
          name="Group"
          value={track.group ?? EVERY}
          choices={{
            [EVERY]: 'Each group it is played on',
            ...Object.fromEntries([...names].map((name) => [name, name])),
          }}
          onChange={(group) => onChange({ group: group === EVERY ? null : group })}
        />
        <NumberField
          name="From light"
          value={track.from + 1}
          min={1}
          max={MAX_PIXELS}
          onChange={(first) => onChange({ from: Math.min(MAX_PIXELS, Math.max(1, Math.round(first))) - 1 })}
        />
        <label className="check-field">
          <input
            type="checkbox"
            checked={track.count === null}
            onChange={({ target }) => onChange({ count: target.checked ? null : 1 })}
          />
          Up to the last light
        </label>
        {track.count !== null && (
          <NumberField
            name="How many lights"
            value={track.count}
            min={1}
            max={MAX_PIXELS}
            onChange={(count) => onChange({ count: Math.min(MAX_PIXELS, Math.max(1, Math.round(count))) })}
          />
        )}
        <NumberField
          name="Runs along the lights"
          unit="times"
          hint="0: all show the same. 1: it runs along them once in its length. Less than 0: backwards."
          value={track.spread}
          min={-16}
          max={16}
          step={0.25}
          onChange={(spread) => onChange({ spread: Math.min(16, Math.max(-16, spread)) })}
        />
      </div>
    </details>
  )
}

interface TrackEditorProps {
  readonly animation: LightingAnimation
  readonly index: number
  readonly track: Track
  readonly onChange: (change: Partial<Track>) => void
  readonly onRemove: (() => void) | undefined
}

const TrackEditor = ({ animation, index, track, onChange, onRemove }: TrackEditorProps) => {
  const { duration_ms, loop } = animation
  const [asked, setChosen] = useState(0)
  const { keyframes } = track
  const chosen = Math.min(asked, keyframes.length - 1)
  const name = `Track ${index + 1}`
  const take = ({ keyframes: next, chosen: at }: Placed) => {
    setChosen(at)
    if (next !== keyframes) onChange({ keyframes: [...next] })
  }
  /** What it shows at a place, as a colour at full brightness would make it. */
  const colourAt = (at: number): string => {
    const alone = { ...track, group: null, from: 0, count: null, spread: 0 }
    const frame = frameOf({ duration_ms, loop: 'once', tracks: [alone] }, { group: '', pixels: 1 }, at * duration_ms)
    const hex = [...frame].map((part) =>
      Math.round(255 * part)
        .toString(16)
        .padStart(2, '0'),
    )
    return `#${hex.join('')}`
  }
  const add = (at: number) => take(withNewKeyframe(keyframes, at, colourAt(at)))
  const keyframe = keyframes[chosen]
  return (
    <section className="stack lighting-track" aria-label={name}>
      <div className="row">
        <h3 className="grow">{name}</h3>
        {onRemove && (
          <Button kind="plain" onClick={onRemove} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        )}
      </div>
      <TimeLine
        name={name}
        duration_ms={duration_ms}
        loop={loop}
        track={track}
        chosen={chosen}
        onChoose={setChosen}
        onMove={(at, to) => take(withKeyframe(keyframes, at, { at: to }))}
        onAdd={add}
        onRemove={(at) => take(withoutKeyframe(keyframes, at))}
      />
      {keyframe && (
        <KeyframeFields
          keyframe={keyframe}
          name={`Keyframe ${chosen + 1} of ${keyframes.length}`}
          isLast={chosen === keyframes.length - 1}
          duration_ms={duration_ms}
          onChange={(change) => take(withKeyframe(keyframes, chosen, change))}
        />
      )}
      <div className="row">
        <Button disabled={keyframes.length >= MAX_KEYFRAMES} onClick={() => add(widestGap(keyframes))}>
          Add a keyframe
        </Button>
        <Button disabled={keyframes.length <= 1} onClick={() => take(withoutKeyframe(keyframes, chosen))}>
          Remove this keyframe
        </Button>
      </div>
      <LightsOfTrack track={track} onChange={onChange} />
    </section>
  )
}

interface TracksCardProps {
  readonly animation: LightingAnimation
  readonly onChange: (tracks: readonly Track[]) => void
}

/** The card. */
export const TracksCard = ({ animation, onChange }: TracksCardProps) => {
  const { tracks } = animation
  return (
    <Card title="Time line">
      <div className="card-body stack">
        <p className="hint">
          A keyframe says what the lights show at a moment; between two of them it goes from one to the other. Press the
          line to add one, drag it or use the arrow keys to move it.
        </p>
        {tracks.map((track, index) => (
          <TrackEditor
            // biome-ignore lint/suspicious/noArrayIndexKey: a track is its place in the order
            key={index}
            animation={animation}
            index={index}
            track={track}
            onChange={(change) => onChange(tracks.map((each, at) => (at === index ? { ...each, ...change } : each)))}
            onRemove={tracks.length > 1 ? () => onChange(tracks.filter((_, at) => at !== index)) : undefined}
          />
        ))}
        <div className="row">
          <Button disabled={tracks.length >= MAX_TRACKS} onClick={() => onChange([...tracks, newTrack()])}>
            Add a track
          </Button>
          <span className="hint">A later track covers earlier ones on its lights.</span>
        </div>
      </div>
    </Card>
  )
}
