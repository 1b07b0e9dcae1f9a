// The address of this page, for the phone.
import { encode } from 'uqr'
import { Card } from '../../parts/parts.tsx'

const OWN_MACHINE = /^(localhost|127\.|\[::1\])/

/** A code in black on white, whatever the page looks like: cameras want it so. */
const Code = ({ text }: { readonly text: string }) => {
  const { data, size } = encode(text, { border: 3 })
  const path = data.flatMap((line, y) => line.map((isBlack, x) => (isBlack ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className="settings-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${text}`}>
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" shapeRendering="crispEdges" />
    </svg>
  )
}

const FOR_ITSELF = `This is the address on the machine itself: a phone does not find it. Open this page by the name or
  the number of the device in the network, and take the code from there.`

/** Address and code. */
export const AddressCard = () => {
  const isOwnMachine = OWN_MACHINE.test(location.hostname)
  return (
    <Card title="On the phone">
      <div className="card-body settings-address">
        <Code text={`${location.origin}/`} />
        <div className="stack">
          <p>
            <code>{location.origin}</code>
          </p>
          <p className="hint">
            {isOwnMachine
              ? FOR_ITSELF
              : 'Point the camera of a phone at it. It has to be in the network of the device.'}
          </p>
        </div>
      </div>
    </Card>
  )
}
