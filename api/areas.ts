// All endpoints of the service, area by area: the table of contents of this folder. A new area is one line here.
import type { Resolve } from '../machines/token.ts'
import { bootloaderArea } from './bootloader/area.ts'
import { calibrationArea } from './calibration/area.ts'
import { cameraArea } from './cameras/area.ts'
import { consoleArea } from './console/area.ts'
import { discoveryArea } from './discovery/area.ts'
import type { AreaMaker } from './endpoints/area.ts'
import type { Area } from './endpoints/endpoint.ts'
import { errorArea } from './errors/area.ts'
import { eventArea } from './events/area.ts'
import { extcamArea } from './extcam/area.ts'
import { guardArea } from './guard/area.ts'
import { healthArea } from './health/area.ts'
import { hostnameArea } from './hostname/area.ts'
import { i2cArea } from './i2c/area.ts'
import { ideArea } from './ide/area.ts'
import { imuArea } from './imu/area.ts'
import { interdeviceArea } from './interdevice/area.ts'
import { helloArea } from './interdevice/hello.ts'
import { devicePairingArea } from './interdevice/pairing.ts'
import { ipaArea } from './ipa/area.ts'
import { jobArea } from './jobs/area.ts'
import { lightingArea } from './lighting/area.ts'
import { localizationArea } from './localization/area.ts'
import { logArea } from './logs/area.ts'
import { mediaArea } from './media/area.ts'
import { networkArea } from './network/area.ts'
import { deviceNt4Area, nt4InspectionArea } from './nt4/area.ts'
import { pageArea } from './pages/area.ts'
import { pairingArea } from './pairing/area.ts'
import { peerArea } from './peers/area.ts'
import { peerPictureArea } from './peers/pictures.ts'
import { pipelineArea } from './pipeline/area.ts'
import { pluginArea } from './plugins/area.ts'
import { pluginPanelArea } from './plugins/panel.ts'
import { pluginRoutesArea } from './plugins/routes.ts'
import { restartArea } from './restart/area.ts'
import { rigArea } from './rig/area.ts'
import { sessionArea } from './session/area.ts'
import { specArea } from './spec/area.ts'
import { streamArea } from './stream/area.ts'
import { systemArea } from './system/area.ts'
import { trustArea } from './trust/area.ts'
import { updateArea } from './update/area.ts'
import { usbArea } from './usb/area.ts'

const AREAS: readonly (Area | AreaMaker)[] = [
  healthArea,
  streamArea,
  pipelineArea,
  cameraArea,
  usbArea,
  calibrationArea,
  localizationArea,
  mediaArea,
  deviceNt4Area,
  nt4InspectionArea,
  extcamArea,
  discoveryArea,
  hostnameArea,
  systemArea,
  i2cArea,
  guardArea,
  imuArea,
  lightingArea,
  networkArea,
  restartArea,
  bootloaderArea,
  consoleArea,
  ipaArea,
  rigArea,
  ideArea,
  interdeviceArea,
  helloArea,
  devicePairingArea,
  trustArea,
  pairingArea,
  peerArea,
  peerPictureArea,
  pluginPanelArea,
  jobArea,
  updateArea,
  pluginArea,
  pluginRoutesArea,
  errorArea,
  logArea,
  eventArea,
  sessionArea,
  specArea,
  pageArea,
]

/** The areas of one server. */
export const allAreas = (resolve: Resolve): readonly Area[] => {
  const areas: readonly Area[] = AREAS.map((each) => (typeof each === 'function' ? each(resolve, () => areas) : each))
  return areas
}
