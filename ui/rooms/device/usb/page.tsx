// USB: what hangs where, who shares a bus, and the power of the ports.
import { Card, ProblemNote } from '../../../parts/parts.tsx'
import { useKnown } from '../../../state/live.ts'
import { usbPower, usbTree } from '../../../state/usb.ts'
import { SharedBuses } from './buses.tsx'
import { PowerCard } from './power.tsx'
import { UsbTable } from './tree.tsx'

/** The page. */
export const UsbPage = () => {
  const tree = useKnown(usbTree)
  const power = useKnown(usbPower)
  const devices = tree.value?.devices ?? []
  const switches = power.value?.switches ?? []
  const used = switches.filter((each) => each.devices.length > 0 || each.state !== 'on')
  const empty = switches.filter((each) => !used.includes(each))
  return (
    <>
      <div className="page-head">
        <h1>USB</h1>
      </div>
      {tree.problem && <ProblemNote problem={tree.problem} />}
      {power.problem && <ProblemNote problem={power.problem} />}
      <div className="device-page">
        <div className="stack">
          <Card title="What is plugged in">{tree.value && <UsbTable devices={devices} />}</Card>
          <Card title="Who shares a bus">{tree.value && <SharedBuses tree={tree.value} />}</Card>
        </div>
        <div className="stack">
          {used.map((each) => (
            <PowerCard key={each.id} found={each} devices={devices} />
          ))}
          {empty.length > 0 && (
            <Card title="Ports with nothing plugged in">
              <ul className="list">
                {empty.map(({ id, name, detail }) => (
                  <li key={id}>
                    <div>
                      {`${name.charAt(0).toUpperCase()}${name.slice(1)}`}
                      {detail !== null && <div className="hint">{detail}</div>}
                    </div>
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {power.value && switches.length === 0 && (
            <Card title="Power">
              <p className="card-body hint">No USB ports are known on this device.</p>
            </Card>
          )}
        </div>
      </div>
      {!tree.value && !tree.problem && <p className="hint">Loading</p>}
    </>
  )
}
