// How the lights are set up: which outputs are used, what belongs together, how bright they may be, and what the device
// shows of itself. It is changed here first, and written as a whole.
import { useState } from 'react'
import { Button, Dialog, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import {
  type LightingConfig,
  leds,
  lightingConfig,
  resetLightingConfig,
  writeLightingConfig,
} from '../../state/lighting.ts'
import { useKnown } from '../../state/live.ts'
import { isOfDevice } from '../../state/localization-config.ts'
import { useWrite } from '../../state/write.ts'
import { GroupsCard } from './groups-card.tsx'
import { LimitsCard } from './limits-card.tsx'
import { OutputsCard } from './outputs-card.tsx'
import { SignalsCard } from './signals-card.tsx'

interface Draft {
  readonly config: LightingConfig
  /** Of what it was made; of itself when it is saved. */
  readonly revision: number
  /** It is shown until it was read back. */
  readonly isSaved: boolean
}

/** The page. */
export const SetupPage = () => {
  const { value, problem } = useKnown(lightingConfig)
  const found = useKnown(leds)
  const [draft, setDraft] = useState<Draft>()
  const [isAsked, setAsked] = useState(false)
  const { state, write, clear } = useWrite({ heeds: isOfDevice })
  const resetting = useWrite()
  const config = draft?.config ?? value?.config
  const isChanged = draft !== undefined && !draft.isSaved
  if (draft?.isSaved && value && value.revision >= draft.revision) setDraft(undefined)
  const change = (to: Partial<LightingConfig>) => {
    if (!value || !config) return
    setDraft({ config: { ...config, ...to }, revision: draft?.revision ?? value.revision, isSaved: false })
  }
  const save = async (expected: number | null) => {
    if (!draft) return
    const answer = await write(() => writeLightingConfig(draft.config, expected))
    if (!answer.ok) return
    setDraft({ config: draft.config, revision: answer.revision ?? 0, isSaved: true })
    lightingConfig.refresh()
  }
  const reset = async () => {
    setAsked(false)
    setDraft(undefined)
    const answer = await resetting.write(resetLightingConfig)
    if (answer.ok) lightingConfig.refresh()
  }
  return (
    <>
      <div className="page-head">
        <h1>Setup of the lights</h1>
        <div className="right">
          <Button kind="plain" onClick={() => setAsked(true)}>
            As delivered
          </Button>
          <Button disabled={!isChanged} onClick={() => setDraft(undefined)}>
            Leave it as it was
          </Button>
          <Button
            kind="main"
            disabled={!isChanged || state.state === 'pending'}
            onClick={() => void save(draft?.revision ?? null)}
          >
            Save
          </Button>
        </div>
      </div>
      {problem && <ProblemNote problem={problem} />}
      {isChanged && state.state === 'idle' && <p role="status">Changed here, and not saved yet.</p>}
      <WriteNote
        state={state}
        onTakeTheirs={() => {
          setDraft(undefined)
          clear()
        }}
        onSetMine={() => void save(null)}
      />
      {state.state === 'refused' && (state.problem.errors?.length ?? 0) > 1 && (
        <ul className="lighting-looked">
          {state.problem.errors?.map(({ pointer, message }) => (
            <li key={pointer}>
              {pointer} {message}
            </li>
          ))}
        </ul>
      )}
      {resetting.state.state === 'refused' && <ProblemNote problem={resetting.state.problem} />}
      {config ? (
        <div className="lighting-setup">
          <div className="stack">
            <OutputsCard config={config} found={found.value} problem={found.problem} onChange={change} />
            <GroupsCard config={config} onChange={change} />
          </div>
          <div className="stack">
            <LimitsCard config={config} onChange={change} />
            <SignalsCard config={config} onChange={change} />
          </div>
        </div>
      ) : (
        !problem && <p className="hint">Loading</p>
      )}
      {isAsked && (
        <Dialog title="Set the lights up as they were delivered?" onClose={() => setAsked(false)}>
          <p>Outputs, groups, limits and what the device shows of itself are lost. Saved animations stay.</p>
          <div className="row">
            <Button kind="danger" onClick={() => void reset()}>
              Set them up anew
            </Button>
            <Button onClick={() => setAsked(false)}>Leave them</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
