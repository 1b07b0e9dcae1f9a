// All machines by name, for docs/machines.md and for the test that each of them is walked.
import type { AnyStateMachine } from 'xstate'
import { bandwidthMachine } from './bandwidth/bandwidth-machine.ts'
import { captureMachine } from './calibration/capture-machine.ts'
import { camerasMachine } from './cameras/cameras-machine.ts'
import { consoleSessionMachine } from './console/console-session-machine.ts'
import { dnsSdMachine } from './discovery/dns-sd-machine.ts'
import { peerScanMachine } from './discovery/peer-scan-machine.ts'
import { errorKeeperMachine } from './errors/error-keeper-machine.ts'
import { extcamMachine } from './extcam/extcam-machine.ts'
import { extcamPortMachine } from './extcam/extcam-port-machine.ts'
import { guardMachine } from './guard/guard-machine.ts'
import { hostnameMachine } from './hostname/hostname-machine.ts'
import { httpServerMachine } from './http/http-server-machine.ts'
import { identityMachine } from './identity/identity-machine.ts'
import { imuMachine } from './imu/imu-machine.ts'
import { jobKeeperMachine } from './jobs/job-keeper-machine.ts'
import { jobMachine } from './jobs/job-machine.ts'
import { lightingMachine } from './lighting/lighting-machine.ts'
import { localizationMachine } from './localization/localization-machine.ts'
import { mediaMachine } from './media/media-machine.ts'
import { networkMachine } from './network/network-machine.ts'
import { nt4CandidateMachine } from './nt4/nt4-candidate-machine.ts'
import { nt4LinkMachine } from './nt4/nt4-link-machine.ts'
import { nt4ServerMachine } from './nt4/nt4-server-machine.ts'
import { ownTableMachine } from './own-table/own-table-machine.ts'
import { pairingMachine } from './pairing/pairing-machine.ts'
import { peerLinkMachine } from './peers/peer-link-machine.ts'
import { peerSessionMachine } from './peers/peer-session-machine.ts'
import { pluginKeeperMachine } from './plugins/plugin-keeper-machine.ts'
import { pluginMachine } from './plugins/plugin-machine.ts'
import { recordingMachine } from './recording/recording-machine.ts'
import { remoteStreamMachine } from './remote-streams/remote-stream-machine.ts'
import { settingsWriterMachine } from './settings/settings-writer-machine.ts'
import { streamMachine } from './stream/stream-machine.ts'
import { reconcilerMachine } from './supervision/reconciler-machine.ts'
import { systemMachine } from './system/system-machine.ts'
import { updateMachine } from './update/update-machine.ts'
import { usbMachine } from './usb/usb-machine.ts'

/** The name is the machine's id and its file's; it is exported as `<name>Machine`. Add a new machine here. */
export const machines: Readonly<Record<string, AnyStateMachine>> = {
  bandwidth: bandwidthMachine,
  cameras: camerasMachine,
  capture: captureMachine,
  'console-session': consoleSessionMachine,
  'dns-sd': dnsSdMachine,
  'error-keeper': errorKeeperMachine,
  extcam: extcamMachine,
  'extcam-port': extcamPortMachine,
  guard: guardMachine,
  hostname: hostnameMachine,
  'http-server': httpServerMachine,
  identity: identityMachine,
  imu: imuMachine,
  job: jobMachine,
  'job-keeper': jobKeeperMachine,
  lighting: lightingMachine,
  localization: localizationMachine,
  media: mediaMachine,
  network: networkMachine,
  'nt4-candidate': nt4CandidateMachine,
  'nt4-link': nt4LinkMachine,
  'nt4-server': nt4ServerMachine,
  'own-table': ownTableMachine,
  pairing: pairingMachine,
  'peer-link': peerLinkMachine,
  'peer-scan': peerScanMachine,
  'peer-session': peerSessionMachine,
  'plugin-keeper': pluginKeeperMachine,
  reconciler: reconcilerMachine,
  plugin: pluginMachine,
  recording: recordingMachine,
  'remote-stream': remoteStreamMachine,
  'settings-writer': settingsWriterMachine,
  stream: streamMachine,
  system: systemMachine,
  update: updateMachine,
  usb: usbMachine,
}
