// The form of a change: from the network, or fixed, with what the rules of the field propose.
import { useState } from 'react'
import { Button, Field, WriteNote } from '../../../parts/parts.tsx'
import {
  givenAddress,
  type Network,
  type NetworkChange,
  type NetworkInterface,
  orderChange,
} from '../../../state/network.ts'
import { useWrite } from '../../../state/write.ts'
import { rememberOrder } from './trial.tsx'

const DEFAULT_CONFIRM_S = 60
const DEFAULT_PREFIX = 24

interface Draft {
  readonly method: 'dhcp' | 'static'
  readonly address: string
  readonly prefix: number
  readonly gateway: string
  readonly dns: string
  readonly confirmS: number
}

const draftOf = (shown: NetworkInterface): Draft => {
  const given = givenAddress(shown)
  return {
    method: shown.method === 'static' ? 'static' : 'dhcp',
    address: given?.address ?? '',
    prefix: given?.prefix ?? DEFAULT_PREFIX,
    gateway: shown.gateway ?? '',
    dns: shown.dns.join(', '),
    confirmS: DEFAULT_CONFIRM_S,
  }
}

const changeOf = (name: string, { method, address, prefix, gateway, dns, confirmS }: Draft): NetworkChange => ({
  interface: name,
  method,
  ...(method === 'static' && {
    address: address.trim(),
    prefix,
    ...(gateway.trim() && { gateway: gateway.trim() }),
    ...(dns.trim() && { dns: dns.split(/[\s,]+/).filter(Boolean) }),
  }),
  confirm_within_s: confirmS,
})

interface TextProps {
  readonly name: string
  readonly hint?: string
  readonly value: string
  readonly isRequired?: boolean
  readonly onChange: (text: string) => void
}

const TextField = ({ name, hint, value, isRequired = false, onChange }: TextProps) => (
  <Field name={name} hint={hint}>
    {(id, describedBy) => (
      <input
        id={id}
        className="input"
        value={value}
        required={isRequired}
        spellCheck={false}
        autoCapitalize="none"
        inputMode="decimal"
        aria-describedby={describedBy}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)

const NumberField = ({
  name,
  unit,
  hint,
  value,
  range: [min, max],
  onChange,
}: {
  readonly name: string
  readonly unit?: string
  readonly hint: string
  readonly value: number
  readonly range: readonly [min: number, max: number]
  readonly onChange: (value: number) => void
}) => (
  <Field name={name} hint={hint} {...(unit && { unit })}>
    {(id, describedBy) => (
      <input
        id={id}
        className="input"
        type="number"
        min={min}
        max={max}
        required
        value={Number.isNaN(value) ? '' : value}
        aria-describedby={describedBy}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
    )}
  </Field>
)

interface Props {
  readonly known: Network
  readonly shown: NetworkInterface
  readonly onClose: () => void
}

/** Orders a change of one interface. */
export const ChangeForm = ({ known: { proposal, change: last }, shown, onClose }: Props) => {
  const [draft, setDraft] = useState(() => draftOf(shown))
  const { state, write } = useWrite()
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const order = async () => {
    const change = changeOf(shown.name, draft)
    const previous = last?.job_id
    const answer = await write(() => orderChange(change))
    if (!answer.ok) return
    rememberOrder(shown, change, previous)
    onClose()
  }
  return (
    <form
      className="stack device-network-form"
      aria-label={`Change ${shown.name}`}
      onSubmit={(event) => {
        event.preventDefault()
        void order()
      }}
    >
      <fieldset className="device-network-methods">
        <legend>Its address</legend>
        {(['dhcp', 'static'] as const).map((method) => (
          <label key={method}>
            <input
              type="radio"
              name={`method-${shown.name}`}
              checked={draft.method === method}
              onChange={() => set({ method })}
            />
            {method === 'dhcp' ? 'from the network (DHCP)' : 'fixed'}
          </label>
        ))}
      </fieldset>
      {draft.method === 'static' && (
        <>
          {proposal && (
            <div className="row">
              <Button
                onClick={() =>
                  set({ address: proposal.address, prefix: proposal.prefix, gateway: proposal.gateway, dns: '' })
                }
              >
                Take {proposal.address}, by the rules
              </Button>
            </div>
          )}
          <div className="device-network-fields">
            <TextField
              name="Address"
              value={draft.address}
              isRequired
              hint="On a robot one from 10.TE.AM.6 to .19: .1 is the radio, .2 the robot."
              onChange={(address) => set({ address })}
            />
            <NumberField
              name="Prefix"
              value={draft.prefix}
              range={[8, 30]}
              hint="24 is the mask 255.255.255.0."
              onChange={(prefix) => set({ prefix })}
            />
            <TextField
              name="Gateway"
              value={draft.gateway}
              hint="Empty: there is none."
              onChange={(gateway) => set({ gateway })}
            />
            <TextField
              name="Name servers"
              value={draft.dns}
              hint="Up to three; empty: none."
              onChange={(dns) => set({ dns })}
            />
          </div>
        </>
      )}
      <NumberField
        name="To be confirmed within"
        unit="s"
        value={draft.confirmS}
        range={[10, 600]}
        hint="This page does that at the new address. Else everything is as before."
        onChange={(confirmS) => set({ confirmS })}
      />
      <WriteNote state={state} />
      <div className="row">
        <Button type="submit" kind="main" disabled={state.state === 'pending'}>
          Try it
        </Button>
        <Button onClick={onClose}>Leave it as it is</Button>
      </div>
    </form>
  )
}
