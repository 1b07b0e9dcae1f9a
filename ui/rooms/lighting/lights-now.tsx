// What the lights show now, who has each and why, and the way to tell them something else.
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Picture } from '../../../machines/lighting/frame.ts'
import { browserTimeOf } from '../../api/device-clock.ts'
import { Alert, Button, Card, Pill, ProblemNote } from '../../parts/parts.tsx'
import {
  type LightingGroupNow,
  type LightingNow,
  leds,
  lightingConfig,
  lightingNow,
  releaseLights,
} from '../../state/lighting.ts'
import { useKnown } from '../../state/live.ts'
import { useWrite } from '../../state/write.ts'
import { figureOf } from '../../words.ts'
import { CommandCard } from './command-card.tsx'
import { LightPreview } from './light-preview.tsx'
import { lightsOf, momentOf, OWNERS, SHOWN, STATES } from './lighting-words.ts'
import { whiteLamps } from './setup-draft.ts'

const BACK_BELOW = 5 // degrees under the limit they come on again

const DARK: Picture = { duration_ms: 1_000, loop: 'repeat', tracks: [] }

/** The time of day with its seconds: what lights are told ends soon. */
const secondOf = (ms: number): string => new Date(browserTimeOf(ms)).toLocaleTimeString()

type Holder = NonNullable<LightingGroupNow['holder']>

const Holding = ({ holder }: { readonly holder: Holder }) => (
  <>
    <strong>{SHOWN[holder.shows]}</strong>: {holder.why}{' '}
    <span className="hint">
      {holder.until_ms !== null && `Until ${secondOf(holder.until_ms)}. `}Priority {holder.priority}.
    </span>
  </>
)

const GroupCard = ({ group, now }: { readonly group: LightingGroupNow; readonly now: LightingNow }) => {
  const { holder, waiting, picture, pixels, started_ms_ago } = group
  const config = useKnown(lightingConfig).value?.config
  const found = useKnown(leds).value?.outputs
  const isWhite = useMemo(() => config && whiteLamps(config, found ?? [], group.group), [config, found, group.group])
  const [tone, word] = OWNERS[holder?.kind ?? 'idle']
  const isShown = now.state === 'lit' && picture !== null
  const startedMs = useMemo(() => now.readMs - started_ms_ago, [now, started_ms_ago])
  const shown = isShown && holder ? SHOWN[holder.shows] : 'dark'
  return (
    <Card title={group.group} side={<Pill tone={tone}>{word}</Pill>}>
      <div className="card-body stack">
        <LightPreview
          label={`${group.group}, ${lightsOf(pixels)}: ${shown}`}
          picture={isShown ? picture : DARK}
          group={group.group}
          pixels={pixels}
          startedMs={startedMs}
          size="large"
          {...(isWhite && { isWhite })}
        />
        <p>{holder ? <Holding holder={holder} /> : 'Nobody wants anything of it, and it is dark.'}</p>
        {waiting.length > 0 && (
          <details>
            <summary>{waiting.length === 1 ? 'Who comes next' : `${waiting.length} come next, in this order`}</summary>
            <ol className="lighting-waiting">
              {waiting.map((each) => (
                <li key={each.owner}>
                  {OWNERS[each.kind][1].replace(' has it', '')}, <Holding holder={each} />
                </li>
              ))}
            </ol>
          </details>
        )}
      </div>
    </Card>
  )
}

const Troubles = ({ now: { state, celsius, max_celsius, outputs, not_shown } }: { readonly now: LightingNow }) => (
  <>
    {state === 'cut' && (
      <Alert tone="bad">
        <strong>All lights are off, since the device is too warm.</strong> It is {figureOf(celsius, 1)} °C warm, and
        they are off from {figureOf(max_celsius)} °C on. They come back by themselves below{' '}
        {figureOf(max_celsius === null ? null : max_celsius - BACK_BELOW)} °C. The limit stands in{' '}
        <Link href="/lighting/setup">Setup</Link>.
      </Alert>
    )}
    {outputs
      .filter(({ is_there, detail }) => !is_there || detail !== null)
      .map(({ id, is_there, detail }) => (
        <Alert key={id} tone="bad">
          <strong>{id}</strong> {detail ?? (is_there ? '' : 'is set up, and was not found. Look at its wires.')}
        </Alert>
      ))}
    {not_shown.map(({ pointer, message }) => (
      <Alert key={pointer} tone="bad">
        <strong>{momentOf(pointer)}, what is set up cannot be shown:</strong> {pointer} {message}. Choose something else
        in <Link href="/lighting/setup">Setup</Link>.
      </Alert>
    ))}
  </>
)

const isOfPerson = ({ holder, waiting }: LightingGroupNow): boolean =>
  [holder, ...waiting].some((each) => each?.kind === 'person')

/** The page. */
export const LightsNow = () => {
  const { value, problem } = useKnown(lightingNow)
  // of lights that are gone nothing is shown; of a device that does not answer, what it said last
  const known = problem?.code.startsWith('lighting.') ? undefined : value
  const [tone, word] = known ? STATES[known.state] : []
  const { state, write } = useWrite()
  return (
    <>
      <div className="page-head">
        <h1>Lights</h1>
        {tone && <Pill tone={tone}>{word}</Pill>}
        {known?.groups.some(isOfPerson) && (
          <div className="right">
            <Button onClick={() => void write(releaseLights)}>Give all lights back</Button>
          </div>
        )}
      </div>
      {state.state === 'refused' && <ProblemNote problem={state.problem} />}
      {problem &&
        (known ? (
          <ProblemNote problem={problem} />
        ) : (
          <Alert tone="busy" action={<Link href="/lighting/setup">Set lights up</Link>}>
            <ProblemNote problem={problem} />
          </Alert>
        ))}
      {known && (
        <>
          <Troubles now={known} />
          <div className="lighting-page">
            <div className="lighting-groups">
              {known.groups.map((group) => (
                <GroupCard key={group.group} group={group} now={known} />
              ))}
              {known.groups.length === 0 && (
                <Card>
                  <p className="card-body">
                    No group of lights is set up. <Link href="/lighting/setup">Set lights up</Link> to have some.
                  </p>
                </Card>
              )}
            </div>
            <CommandCard groups={known.groups.map(({ group }) => group)} />
          </div>
        </>
      )}
      {!value && !problem && <p className="hint">Loading</p>}
    </>
  )
}
