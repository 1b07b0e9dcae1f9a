// Which devices share the bandwidth of a bus.
import type { Documents } from '../../../api/client.ts'
import { nameOfDevice, speedText } from './names.ts'

/** Those buses that anything hangs on. */
export const SharedBuses = ({ tree: { buses, devices } }: { readonly tree: Documents['UsbTree'] }) => {
  const used = buses.filter(({ shared_by }) => shared_by.length > 0)
  const nameOf = (path: string) => {
    const device = devices.find((each) => each.path === path)
    return device ? nameOfDevice(device) : path
  }
  if (used.length === 0) return <p className="card-body hint">Nothing is plugged in.</p>
  return (
    <ul className="list">
      {used.map(({ bus, speed_mbit_s, shared_by, stream_ids, carries_bytes_per_s }) => (
        <li key={bus}>
          <div>
            <strong>
              Bus {bus}, {speedText(speed_mbit_s)}
            </strong>
            <div>{shared_by.map((path) => `${nameOf(path)} (${path})`).join(', ')}</div>
            <div className="hint">
              Pictures of all its cameras together can have {Math.round(carries_bytes_per_s / 1e6)} MB/s
              {stream_ids.length > 0 && `; streams here: ${stream_ids.join(', ')}`}.
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
