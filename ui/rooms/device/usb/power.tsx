// Ports that are switched together: what goes with them, and the way to switch them off and on again.
import { useState } from 'react'
import type { Documents } from '../../../api/client.ts'
import { Button, Card, Dialog, Pill, WriteNote } from '../../../parts/parts.tsx'
import { switchPower, type UsbDevice, type UsbSwitch } from '../../../state/usb.ts'
import { useWrite } from '../../../state/write.ts'
import type { Tone } from '../../../words.ts'
import { nameOfDevice } from './names.ts'

type Action = Documents['UsbPowerAction']

const STATES: Readonly<Record<UsbSwitch['state'], { readonly word: string; readonly tone: Tone }>> = {
  on: { word: 'has power', tone: 'good' },
  off: { word: 'switched off', tone: 'quiet' },
  switching: { word: 'is being switched', tone: 'busy' },
  cycling: { word: 'off for two seconds', tone: 'busy' },
}

const ASKED: Readonly<Record<Exclude<Action, 'on'>, string>> = {
  off: 'Switch the power off?',
  cycle: 'Switch the power off and on?',
}

interface AskProps {
  readonly action: Exclude<Action, 'on'>
  readonly reasons: readonly string[]
  readonly onClose: () => void
  readonly onCarryOut: () => void
}

/** What speaks against it, before it is done. */
const AskDialog = ({ action, reasons, onClose, onCarryOut }: AskProps) => (
  <Dialog title={ASKED[action]} onClose={onClose}>
    <ul>
      {reasons.map((reason) => (
        <li key={reason}>{`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`}</li>
      ))}
    </ul>
    <div className="row">
      <Button kind="danger" onClick={onCarryOut}>
        Do it all the same
      </Button>
      <Button onClick={onClose}>Leave it on</Button>
    </div>
  </Dialog>
)

interface PowerProps {
  readonly found: UsbSwitch
  readonly devices: readonly UsbDevice[]
}

/** One switch. */
export const PowerCard = ({ found, devices }: PowerProps) => {
  const { id, name, granularity, state, needs_force, last, detail } = found
  const [asked, setAsked] = useState<Exclude<Action, 'on'>>()
  const { state: written, write } = useWrite()
  const send = (action: Action, force: boolean) => {
    setAsked(undefined)
    void write(() => switchPower(id, action, force))
  }
  const order = (action: Exclude<Action, 'on'>) => (needs_force.length > 0 ? setAsked(action) : send(action, false))
  const isBusy = written.state === 'pending' || state === 'switching' || state === 'cycling'
  const things = found.devices.flatMap((path) => devices.find((each) => each.path === path) ?? [])
  const { word, tone } = STATES[state]
  return (
    <Card title={`${name.charAt(0).toUpperCase()}${name.slice(1)}`} side={<Pill tone={tone}>{word}</Pill>}>
      <div className="card-body stack">
        {things.length === 0 ? (
          <p className="hint">{state === 'off' ? 'What hung on it is away.' : 'Nothing is plugged in there.'}</p>
        ) : (
          <p>
            {things.length === 1 ? 'On it hangs' : 'On it hang'}{' '}
            {things.map((device) => `${nameOfDevice(device)} (${device.path})`).join(', ')}
            {found.stream_ids.length > 0 && `, with the pictures of ${found.stream_ids.join(', ')}`}.
          </p>
        )}
        {detail !== null && <p className="hint">{detail}</p>}
        {granularity !== 'none' && (
          <div className="row">
            {state === 'off' ? (
              <Button kind="main" disabled={isBusy} onClick={() => send('on', false)}>
                Switch on
              </Button>
            ) : (
              <>
                <Button disabled={isBusy} onClick={() => order('cycle')}>
                  Off and on
                </Button>
                <Button kind="plain" disabled={isBusy} onClick={() => order('off')}>
                  Switch off
                </Button>
              </>
            )}
          </div>
        )}
        <WriteNote state={written} />
        {last && written.state !== 'refused' && <p className="hint">{last.detail}.</p>}
      </div>
      {asked && (
        <AskDialog
          action={asked}
          reasons={needs_force}
          onClose={() => setAsked(undefined)}
          onCarryOut={() => send(asked, true)}
        />
      )}
    </Card>
  )
}
