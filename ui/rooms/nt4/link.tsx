// How far the link to the robot is, as a line of steps.
import { Card, Pill, ProblemNote, State } from '../../parts/parts.tsx'
import { nt4 } from '../../state/device.ts'
import { useKnown } from '../../state/live.ts'
import type { Tone } from '../../words.ts'
import { type LinkStep, stepsOf } from './steps.ts'

const TONES: Readonly<Record<LinkStep['is'], Tone>> = {
  done: 'good',
  'going on': 'busy',
  failed: 'bad',
  waiting: 'quiet',
}

const MODES: Readonly<Record<string, string>> = {
  off: 'No robot is looked for. Set the number of your team, or an address, and the link comes by itself.',
  serve: 'This device is the server, to which robot code connects.',
}

const isOfThisDevice = (address: string): boolean => /^(?:127\.|\[::1\]|localhost:)/.test(address)

/** The card. */
export const LinkCard = () => {
  const { value, problem } = useKnown(nt4)
  const status = value?.status
  const about = MODES[status?.mode ?? '']
  return (
    <Card title="Link" side={status && <State state={status.state} />}>
      <div className="card-body stack">
        {problem && <ProblemNote problem={problem} />}
        {status && (
          <ol className="nt4-steps" aria-label="Steps to a link">
            {stepsOf(status).map(({ name, is, about }) => (
              <li key={name} data-is={is} aria-current={is === 'failed' || is === 'going on' ? 'step' : undefined}>
                <strong>{name}</strong>
                <Pill tone={TONES[is]}>{is}</Pill>
                <span className="hint">{about}</span>
              </li>
            ))}
          </ol>
        )}
        {status?.fault && <ProblemNote problem={status.fault} />}
        {about !== undefined && <p>{about}</p>}
        {status?.server_address && (
          <p className="hint">
            The server listens at {status.server_address}.
            {isOfThisDevice(status.server_address) &&
              ' Only programs on this device reach it; have it listen at 0.0.0.0:5810 to let in others.'}
          </p>
        )}
      </div>
    </Card>
  )
}
