// How all cameras are solved together, to be set.
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button, Card, Pill, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { session } from '../../state/device.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import {
  isOfDevice,
  type LocalizationConfig,
  localizationConfig,
  localizationLimits,
  writeConfig,
} from '../../state/localization-config.ts'
import { useWrite } from '../../state/write.ts'
import { useDraft } from '../rig/use-draft.ts'
import { CamerasFields, HeadingFields, MainFields } from './config-choices.tsx'
import { differencesOf } from './config-fields.ts'
import { ConfigNumbers } from './config-numbers.tsx'
import { IgnoredTags } from './ignored-tags.tsx'
import { JOINT_STATES } from './reasons.ts'

/** The page. */
export const LocalizationPage = () => {
  const { value: known, problem } = useKnown(localizationConfig)
  const limits = useKnown(localizationLimits)
  const trouble = problem ?? limits.problem
  return (
    <>
      <h1>Localization</h1>
      {trouble && <ProblemNote problem={trouble} />}
      {known && limits.value && <ConfigForm known={known} bounds={limits.value.bounds} />}
    </>
  )
}

interface ConfigFormProps {
  readonly known: NonNullable<ReturnType<typeof localizationConfig.now>['value']>
  readonly bounds: NonNullable<ReturnType<typeof localizationLimits.now>['value']>['bounds']
}

const ConfigForm = ({ known: { spec, revision, status }, bounds }: ConfigFormProps) => {
  const [query] = useSearchParams()
  const mayWrite = useKnownOf(session, ({ value }) => value?.may.includes('operate') ?? false)
  const draft = useDraft('localization', spec, revision)
  const { state, write, clear } = useWrite({ heeds: isOfDevice })
  const [previous, setPrevious] = useState<{ readonly config: LocalizationConfig; readonly revision: number | null }>()
  const config = draft.value
  const save = async (wanted: LocalizationConfig, expected: number | null) => {
    const answer = await write(() => writeConfig(wanted, expected))
    if (!answer.ok) return
    setPrevious({ config: spec, revision: answer.revision })
    draft.drop()
  }
  const canGoBack = previous !== undefined && previous.revision === revision && !draft.isChanged
  const { word, tone } = JOINT_STATES[status.state]
  return (
    <form
      className="field-config"
      noValidate // the device says what is wrong: a browser would also refuse numbers between two steps
      onSubmit={(event) => {
        event.preventDefault()
        void save(config, draft.expected)
      }}
    >
      <fieldset disabled={!mayWrite} className="field-config-cards">
        <legend className="only-read-aloud">How all cameras are solved together</legend>
        <Card title="All cameras together" side={<Pill tone={tone}>{word}</Pill>}>
          <MainFields config={config} onChange={draft.change} />
          <CamerasFields config={config} uses={status.streams} onChange={draft.change} />
        </Card>
        <Card title="Heading and motion">
          <HeadingFields config={config} bounds={bounds} onChange={draft.change} />
        </Card>
        <Card title="Ignored tags">
          <IgnoredTags config={config} proposed={query.get('ignore')} onChange={draft.change} />
        </Card>
        <div className="field-config-wide">
          <Card title="Numbers">
            <ConfigNumbers config={config} bounds={bounds} onChange={draft.change} />
          </Card>
        </div>
      </fieldset>
      {mayWrite && (
        <div className="field-config-foot row">
          <Button type="submit" kind="main" disabled={!draft.isChanged || state.state === 'pending'}>
            Save
          </Button>
          {draft.isChanged && <Button onClick={draft.drop}>Leave it as it was</Button>}
          {canGoBack && <Button onClick={() => void save(previous.config, revision)}>Undo the last change</Button>}
          <span className="hint">
            {draft.isChanged ? `To be saved: ${differencesOf(config, spec)}` : `Revision ${revision}`}
          </span>
          <WriteNote
            state={state}
            theirs={differencesOf(spec, config)}
            mine={differencesOf(config, spec)}
            onTakeTheirs={() => {
              draft.drop()
              clear()
            }}
            onSetMine={() => void save(config, revision)}
          />
        </div>
      )}
    </form>
  )
}
