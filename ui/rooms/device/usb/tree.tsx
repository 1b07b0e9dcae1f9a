// The devices, each moved in as far as there are hubs before it.
import { Link } from 'wouter'
import { Scrollable } from '../../../parts/scrollable.tsx'
import type { UsbDevice } from '../../../state/usb.ts'
import { nameOfDevice, speedText } from './names.ts'

const depthOf = (devices: readonly UsbDevice[], { parent }: UsbDevice): number => {
  const hub = parent === null ? undefined : devices.find(({ path }) => path === parent)
  return hub ? 1 + depthOf(devices, hub) : 0
}

const What = ({ device }: { readonly device: UsbDevice }) => {
  const { kind, cameras, network_interfaces, disks, ports } = device
  if (cameras.length > 0)
    return cameras.map(({ camera_uid, device: file, stream_id }) => (
      <div key={camera_uid}>
        camera {file}
        {stream_id === null ? (
          ', no stream has it'
        ) : (
          <>, stream {<Link href={`/streams/${stream_id}`}>{stream_id}</Link>}</>
        )}
      </div>
    ))
  if (kind === 'hub') return `hub with ${ports ?? 0} ports`
  return [kind, ...network_interfaces, ...disks].join(' ')
}

/** The tree as a table. */
export const UsbTable = ({ devices }: { readonly devices: readonly UsbDevice[] }) => (
  <Scrollable name="USB devices">
    <table className="device-usb">
      <thead>
        <tr>
          <th scope="col">Device</th>
          <th scope="col">What it is</th>
          <th scope="col">Speed</th>
          <th scope="col">Draws up to</th>
          <th scope="col">Driver</th>
        </tr>
      </thead>
      <tbody>
        {devices.map((device) => (
          <tr key={device.path}>
            <th scope="row" style={{ paddingInlineStart: `${0.75 + depthOf(devices, device) * 1.25}rem` }}>
              {nameOfDevice(device)}
              <div className="hint">{device.path}</div>
            </th>
            <td>
              <What device={device} />
            </td>
            <td>{speedText(device.speed_mbit_s)}</td>
            <td>{device.max_power_ma === null ? 'not known' : `${device.max_power_ma} mA`}</td>
            <td>{device.drivers.join(', ') || 'none'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scrollable>
)
