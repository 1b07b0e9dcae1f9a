// What lights shall show: the same form for a command, for the idle state and for what the device shows of itself.

import { ChoiceField, NumberField } from '../../parts/plain-fields.tsx'
import { type LightingShow, lightingAnimations, lightingTemplates } from '../../state/lighting.ts'
import { useKnown } from '../../state/live.ts'
import { ColourField, LevelField, ParameterFields } from './light-fields.tsx'

const WHITE = '#ffffff'

const WORDS: Readonly<Record<LightingShow['command'], string>> = {
  off: 'Dark',
  on: 'White',
  colour: 'One colour',
  blink: 'Blinking',
  animation: 'An animation',
}

/** Without what another choice has left behind. */
const begun = (command: LightingShow['command'], before: LightingShow, animation: string): LightingShow => {
  const { level, colour } = before
  const bright = level === undefined ? {} : { level }
  if (command === 'off') return { command }
  if (command === 'on') return { command, ...bright }
  if (command === 'animation') return { command, animation, ...bright }
  return { command, colour: colour ?? WHITE, ...bright }
}

interface ShowFormProps {
  readonly name: string
  /** null: nothing is shown. */
  readonly show: LightingShow | null
  /** Whether there may be nothing to show. */
  readonly mayBeNothing?: boolean
  readonly onChange: (show: LightingShow | null) => void
}

/** The form. */
export const ShowForm = ({ name, show, mayBeNothing = false, onChange }: ShowFormProps) => {
  const animations = useKnown(lightingAnimations).value ?? []
  const templates = useKnown(lightingTemplates).value ?? []
  const first = animations[0]?.name ?? templates[0]?.id ?? ''
  const names = Object.fromEntries([
    ...animations.map((each) => [each.name, each.title]),
    ...templates.map((each) => [each.id, `${each.title} (built in)`]),
  ])
  const template = templates.find(({ id }) => id === show?.animation)
  const isOwn = animations.some((each) => each.name === show?.animation)
  const set = (change: Partial<LightingShow>) => show && onChange({ ...show, ...change })
  return (
    <div className="lighting-show">
      <ChoiceField
        name={name}
        value={show?.command ?? ''}
        choices={mayBeNothing ? { '': 'Nothing', ...WORDS } : WORDS}
        onChange={(command) =>
          onChange(command === '' ? null : begun(command as LightingShow['command'], show ?? { command: 'off' }, first))
        }
      />
      {(show?.command === 'colour' || show?.command === 'blink') && (
        <ColourField name="Colour" value={show.colour ?? WHITE} onChange={(colour) => set({ colour })} />
      )}
      {show?.command === 'blink' && (
        <>
          <NumberField
            name="On for"
            unit="ms"
            value={show.on_ms ?? 250}
            min={20}
            max={60_000}
            onChange={(on_ms) => set({ on_ms })}
          />
          <NumberField
            name="Off for"
            unit="ms"
            value={show.off_ms ?? 250}
            min={20}
            max={60_000}
            onChange={(off_ms) => set({ off_ms })}
          />
        </>
      )}
      {show?.command === 'animation' && (
        <>
          <ChoiceField
            name="Animation"
            value={show.animation ?? ''}
            choices={names}
            onChange={(animation) => onChange(begun('animation', show, animation))}
          />
          {template && !isOwn && (
            <ParameterFields
              template={template}
              values={show.parameters ?? {}}
              onChange={(parameters) => set({ parameters: { ...parameters } })}
            />
          )}
        </>
      )}
      {show && show.command !== 'off' && (
        <LevelField name="Brightness" value={show.level ?? 1} onChange={(level) => set({ level })} />
      )}
    </div>
  )
}
