// One interface: what it is and has, and the form that changes it.
import { useState } from 'react'
import { Button, Card, Figure, Figures, Pill } from '../../../parts/parts.tsx'
import { givenAddress, type Network, type NetworkInterface } from '../../../state/network.ts'
import { ChangeForm } from './change-form.tsx'

const KINDS: Readonly<Record<NetworkInterface['kind'], string>> = {
  ethernet: 'cable',
  wifi: 'wireless',
  bridge: 'bridge',
  virtual: 'made by software',
  loopback: 'the device itself',
}

const METHODS: Readonly<Record<NonNullable<NetworkInterface['method']>, string>> = {
  dhcp: 'from the network (DHCP)',
  static: 'fixed',
  'link-local': 'by itself (169.254.x.x)',
  shared: 'gives addresses to others',
  off: 'none',
}

const MANAGERS: Readonly<Record<NetworkInterface['manager'], string>> = {
  NetworkManager: 'NetworkManager',
  networkd: 'systemd-networkd',
  ifupdown: '/etc/network/interfaces',
  nobody: 'nobody',
}

const BYTES_IN_MB = 1_000_000

const carrierOf = ({ carrier, kind }: NetworkInterface) => {
  if (carrier) return { tone: 'good', word: kind === 'wifi' ? 'linked' : 'cable plugged in' } as const
  if (carrier === null) return { tone: 'quiet', word: 'switched off' } as const
  return { tone: 'quiet', word: kind === 'wifi' ? 'not linked' : 'no cable' } as const
}

const MegaBytes = ({ name, bytes }: { readonly name: string; readonly bytes: number | null }) => (
  <Figure name={name} value={bytes === null ? null : bytes / BYTES_IN_MB} digits={1} unit="MB" />
)

/** An interface. */
export const InterfaceCard = ({ known, shown }: { readonly known: Network; readonly shown: NetworkInterface }) => {
  const [isOpen, setIsOpen] = useState(false)
  const { name, kind, mac, speed_mbit_s, addresses, gateway, dns, method, profile, manager, refusal, counters } = shown
  const { tone, word } = carrierOf(shown)
  const isTried = known.change !== null && known.change.step !== 'ended'
  const errors = (counters.rx_errors ?? 0) + (counters.tx_errors ?? 0)
  return (
    <Card title={`${name}, ${KINDS[kind]}`} side={<Pill tone={tone}>{word}</Pill>}>
      <div className="card-body stack">
        <dl className="device-network-facts">
          <dt>Address</dt>
          <dd>
            {addresses.length === 0 && 'none'}
            {addresses.map(({ address, prefix, scope }) => (
              <div key={address}>
                <code>
                  {address}/{prefix}
                </code>
                {scope === 'link' && <span className="hint"> on this cable alone</span>}
              </div>
            ))}
          </dd>
          <dt>How it gets one</dt>
          <dd>{method === null ? 'not told' : METHODS[method]}</dd>
          <dt>Gateway</dt>
          <dd>{gateway ? <code>{gateway}</code> : 'none'}</dd>
          <dt>Names are asked of</dt>
          <dd>{dns.length > 0 ? <code>{dns.join(', ')}</code> : 'nobody'}</dd>
          <dt>Managed by</dt>
          <dd>
            {MANAGERS[manager]}
            {profile && <span className="hint"> ({profile.name})</span>}
          </dd>
          <dt>Device address</dt>
          <dd>{mac ? <code>{mac}</code> : 'none'}</dd>
        </dl>
        <Figures>
          <Figure name="speed" value={speed_mbit_s} unit="Mbit/s" />
          <MegaBytes name="received" bytes={counters.rx_bytes} />
          <MegaBytes name="sent" bytes={counters.tx_bytes} />
          <Figure name="broken" value={errors} />
        </Figures>
        {refusal !== null && refusal !== known.refusal && <p className="hint">It is not changed here: {refusal}.</p>}
        {refusal === null && !isOpen && (
          <div className="row">
            <Button disabled={isTried} onClick={() => setIsOpen(true)}>
              Change {name}
            </Button>
          </div>
        )}
        {isOpen && !isTried && (
          <ChangeForm key={givenAddress(shown)?.address} known={known} shown={shown} onClose={() => setIsOpen(false)} />
        )}
      </div>
    </Card>
  )
}
