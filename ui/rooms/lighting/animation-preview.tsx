// An animation as it will shine, running or held at a moment.
import { useRef, useState } from 'react'
import { frameOf } from '../../../machines/lighting/frame.ts'
import { Button, Card, Field } from '../../parts/parts.tsx'
import { ChoiceField } from '../../parts/plain-fields.tsx'
import { CanvasDrawing } from '../../pictures/canvas-drawing.tsx'
import { type LightingAnimation, type LightingConfig, lightingConfig } from '../../state/lighting.ts'
import { useKnown } from '../../state/live.ts'
import { drawLamps } from './lamp-drawing.ts'
import { PREVIEW_PIXELS } from './light-preview.tsx'
import { lightsOf } from './lighting-words.ts'

const ROUNDS = 2 // that are shown of what repeats: there and back of one that bounces

interface Shown {
  readonly name: string
  readonly pixels: number
}

/** On what it can be looked at: the groups that are set up, and a made-up one. */
const groupsIn = (config: LightingConfig | undefined): readonly Shown[] => [
  ...(config?.groups ?? []).map(({ name, parts }) => ({
    name,
    pixels: parts.reduce((sum, { count }) => sum + count, 0),
  })),
  { name: '', pixels: PREVIEW_PIXELS },
]

/** The card. */
export const AnimationPreview = ({ animation }: { readonly animation: LightingAnimation }) => {
  const config = useKnown(lightingConfig).value?.config
  const [chosen, setChosen] = useState<string>()
  const [heldMs, setHeldMs] = useState<number>() // undefined: it runs
  const started = useRef(performance.now())
  const groups = groupsIn(config)
  const shown = groups.find(({ name }) => name === chosen) ?? groups[0] ?? { name: '', pixels: PREVIEW_PIXELS }
  const wholeMs = ROUNDS * animation.duration_ms
  const runningMs = () => (performance.now() - started.current) % wholeMs
  const atMs = () => heldMs ?? runningMs()
  const run = () => {
    started.current = performance.now() - (heldMs ?? 0)
    setHeldMs(undefined)
  }
  return (
    <Card
      title="How it will shine"
      side={
        heldMs === undefined ? (
          <Button onClick={() => setHeldMs(Math.round(runningMs()))}>Hold</Button>
        ) : (
          <Button onClick={run}>Run</Button>
        )
      }
    >
      <div className="card-body stack">
        <CanvasDrawing
          label={`${animation.title || 'The animation'} on ${lightsOf(shown.pixels)}`}
          className="lighting-lamps is-large"
          isMoving={heldMs === undefined}
          draw={(drawing) =>
            drawLamps(drawing, frameOf(animation, { group: shown.name, pixels: shown.pixels }, atMs()))
          }
        />
        <Field name="Time" unit="ms">
          {(id) => (
            <input
              id={id}
              type="range"
              min={0}
              max={wholeMs}
              step={10}
              value={heldMs ?? 0}
              aria-valuetext={heldMs === undefined ? 'it runs' : `${heldMs} ms`}
              onChange={({ target }) => setHeldMs(Number(target.value))}
            />
          )}
        </Field>
        <p className="hint">
          {heldMs === undefined ? 'It runs. Move the slider to look at one moment.' : `Held at ${heldMs} ms.`}
        </p>
        {groups.length > 1 && (
          <ChoiceField
            name="Shown on"
            value={shown.name}
            choices={Object.fromEntries(
              groups.map(({ name, pixels }) => [
                name,
                name === '' ? `${lightsOf(pixels)}, made up` : `${name}, ${lightsOf(pixels)}`,
              ]),
            )}
            onChange={setChosen}
          />
        )}
      </div>
    </Card>
  )
}
