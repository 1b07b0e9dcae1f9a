// The room of the device: the service on it, and what stands around the service. A page is loaded when it is opened.
import { Route, Switch } from 'wouter'
import { type RoomPage, RoomPages } from '../../parts/room-pages.tsx'
import { DeviceOverview } from './overview.tsx'
import { UsbPage } from './usb/page.tsx'

const PAGES: readonly RoomPage[] = [
  { path: '/device', name: 'Service' },
  { path: '/device/usb', name: 'USB' },
]

const DevicePage = () => (
  <>
    {PAGES.length > 1 && <RoomPages room="Device" pages={PAGES} />}
    <Switch>
      <Route path="/device/usb" component={UsbPage} />
      <Route path="/device" component={DeviceOverview} />
    </Switch>
  </>
)

export default DevicePage
