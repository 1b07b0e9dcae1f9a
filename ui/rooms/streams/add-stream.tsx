// The form that makes a stream.
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { type Answer, api, ask, type Documents, type Problem } from '../../api/client.ts'
import { Button, Dialog, Field, ProblemNote } from '../../parts/parts.tsx'
import { cameras } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { streams } from '../../state/streams.ts'
import { streamAddress } from './describe.ts'
import { type Backend, fieldsOf, sourceOf } from './source-fields.ts'
import { SourceForm } from './source-form.tsx'

const readBackends = (): Promise<Answer<Documents['CaptureBackends']>> => ask(api.GET('/v1/streams/backends'))

/** The kinds of source, read when the form is opened, and again when a camera is plugged in. */
const useBackends = () => {
  const plugged = useKnownOf(cameras, ({ value }) => value)
  const [answer, setAnswer] = useState<Answer<Documents['CaptureBackends']>>()
  useEffect(() => {
    if (plugged === undefined) return
    let isOver = false
    void readBackends().then((read) => !isOver && setAnswer(read))
    return () => {
      isOver = true
    }
  }, [plugged])
  return answer
}

const nameOfBackend = ({ description }: Backend): string => description.replace(/\.$/, '')

/** The form, over the page. */
export const AddStream = ({ onClose }: { readonly onClose: () => void }) => {
  const answer = useBackends()
  const [, go] = useLocation()
  const [kind, setKind] = useState<string>()
  const [alias, setAlias] = useState('')
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [problem, setProblem] = useState<Problem>()
  const [isBusy, setBusy] = useState(false)
  const backends = answer?.ok ? answer.value.backends : []
  const free = backends.find(({ backend }) => backend === 'v4l2')?.devices.filter(({ stream_id }) => stream_id === null)
  const chosen = kind ?? ((free?.length ?? 0) > 0 ? 'v4l2' : 'synthetic')
  const backend = backends.find((each) => each.backend === chosen)

  const add = async () => {
    if (!backend) return
    setBusy(true)
    const source = sourceOf(chosen, fieldsOf(backend), typed) as unknown as Documents['SyntheticSource']
    const body = { ...(alias.trim() !== '' && { alias: alias.trim() }), source }
    const made = await ask<Documents['Stream']>(api.POST('/v1/streams', { body }))
    setBusy(false)
    if (!made.ok) return setProblem(made.problem)
    streams.refresh()
    onClose()
    go(streamAddress(made.value.id))
  }
  return (
    <Dialog title="Add a stream" onClose={onClose}>
      {answer && !answer.ok && <ProblemNote problem={answer.problem} />}
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <Field name="Pictures from" {...(backend?.missing && { hint: backend.missing })}>
          {(id, describedBy) => (
            <select
              id={id}
              className="input"
              aria-describedby={describedBy}
              value={chosen}
              onChange={({ target }) => {
                setKind(target.value)
                setTyped({})
                setProblem(undefined)
              }}
            >
              {backends.map((each) => (
                <option key={each.backend} value={each.backend} disabled={!each.available}>
                  {nameOfBackend(each)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="Name" hint="What the stream is called here and on the robot. Left empty, one is made.">
          {(id, describedBy) => (
            <input
              id={id}
              className="input"
              maxLength={60}
              aria-describedby={describedBy}
              value={alias}
              onChange={({ target }) => setAlias(target.value)}
            />
          )}
        </Field>
        {backend && (
          <SourceForm
            backend={backend}
            typed={typed}
            onType={(key, text) => setTyped((before) => ({ ...before, [key]: text }))}
          />
        )}
        {problem && <ProblemNote problem={problem} />}
        <div className="row">
          <Button type="submit" kind="main" disabled={isBusy || !backend}>
            Add it
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
