// The room of the device: the service on it, and what stands around the service. A page is loaded when it is opened.
import { Route, Switch } from 'wouter'
import { loadLater } from '../../parts/later.tsx'
import { type RoomPage, RoomPages } from '../../parts/room-pages.tsx'
import { GuardPage } from './guard/page.tsx'
import { LogsPage } from './logs/page.tsx'
import NetworkPage from './network/page.tsx'
import { DeviceOverview } from './overview.tsx'
import { UsbPage } from './usb/page.tsx'

const PAGES: readonly RoomPage[] = [
  { path: '/device', name: 'Service' },
  { path: '/device/health', name: 'Health' },
  { path: '/device/network', name: 'Network' },
  { path: '/device/usb', name: 'USB' },
  { path: '/device/imu', name: 'IMU' },
  { path: '/device/i2c', name: 'I2C' },
  { path: '/device/colour', name: 'Colour' },
  { path: '/device/guard', name: 'Guard' },
  { path: '/device/logs', name: 'Logs' },
]

const DeviceHealth = loadLater({
  name: 'The health of the device',
  load: () => import('./health/page.tsx'),
  waiting: <p className="hint">Loading</p>,
  mayReload: true,
})

const DeviceColour = loadLater({
  name: 'Colour',
  load: () => import('./colour/page.tsx'),
  waiting: <p className="hint">Loading</p>,
  mayReload: true,
})

const DeviceImu = loadLater({
  name: 'The IMU',
  load: () => import('../imu/page.tsx'),
  waiting: <p className="hint">Loading</p>,
  mayReload: true,
})

const DeviceI2c = loadLater({
  name: 'The I2C buses',
  load: () => import('../i2c/page.tsx'),
  waiting: <p className="hint">Loading</p>,
  mayReload: true,
})

const DevicePage = () => (
  <>
    {PAGES.length > 1 && <RoomPages room="Device" pages={PAGES} />}
    <Switch>
      <Route path="/device" component={DeviceOverview} />
      <Route path="/device/health" component={DeviceHealth} />
      <Route path="/device/network" component={NetworkPage} />
      <Route path="/device/usb" component={UsbPage} />
      <Route path="/device/imu" component={DeviceImu} />
      <Route path="/device/i2c" component={DeviceI2c} />
      <Route path="/device/colour" component={DeviceColour} />
      <Route path="/device/guard" component={GuardPage} />
      <Route path="/device/logs" component={LogsPage} />
    </Switch>
  </>
)

export default DevicePage
