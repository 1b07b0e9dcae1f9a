// The tree of the service: its branches, in the order in which they are started. A new branch is one line here.
import { bandwidthBranch } from './bandwidth/branch.ts'
import { bootloaderBranch } from './bootloader/branch.ts'
import { calibrationBranch } from './calibration/branch.ts'
import { cameraBranch } from './cameras/branch.ts'
import type { Branch } from './composition/branch.ts'
import { consoleBranch } from './console/branch.ts'
import { discoveryBranch } from './discovery/branch.ts'
import { extcamBranch } from './extcam/branch.ts'
import { extcamPortsBranch } from './extcam/ports-branch.ts'
import { formatBranch } from './formats/branch.ts'
import { guardBranch } from './guard/branch.ts'
import { healthBranch } from './health/branch.ts'
import { hostnameBranch } from './hostname/branch.ts'
import { httpBranch } from './http/branch.ts'
import { i2cBranch } from './i2c/branch.ts'
import { ideBranch } from './ide/branch.ts'
import { imuBranch } from './imu/branch.ts'
import { ipaBranch } from './ipa/branch.ts'
import { jobBranch } from './jobs/branch.ts'
import { lightingBranch } from './lighting/branch.ts'
import { localizationBranch } from './localization/branch.ts'
import { externalBranch } from './localization/external-branch.ts'
import { lensCheckBranch } from './localization/lens-check-branch.ts'
import { solveBranch } from './localization/solve-branch.ts'
import { surveyBranch } from './localization/survey-branch.ts'
import { logBranch } from './logs/branch.ts'
import { mediaBranch } from './media/branch.ts'
import { networkBranch } from './network/branch.ts'
import { nt4Branch } from './nt4/branch.ts'
import { ownTableBranch } from './own-table/branch.ts'
import { pairingBranch } from './pairing/branch.ts'
import { peerBranch } from './peers/branch.ts'
import { pipelineBranch } from './pipeline/branch.ts'
import { pluginBranch } from './plugins/branch.ts'
import { pluginProgramBranch } from './plugins/program-branch.ts'
import { recordingBranch } from './recording/branch.ts'
import { remoteStreamBranch } from './remote-streams/branch.ts'
import { restartBranch } from './restart/branch.ts'
import { rigBranch } from './rig/branch.ts'
import { settingsBranch } from './settings/branch.ts'
import { streamBranch } from './stream/branch.ts'
import { systemBranch } from './system/branch.ts'
import { trustBranch } from './trust/branch.ts'
import { tunnelBranch } from './tunnels/branch.ts'
import { updateBranch } from './update/branch.ts'
import { usbBranch } from './usb/branch.ts'

export const tree: readonly Branch[] = [
  healthBranch,
  settingsBranch,
  logBranch,
  localizationBranch,
  nt4Branch,
  cameraBranch,
  pipelineBranch,
  pluginBranch, // before the streams, whose pipelines may have nodes of plugins
  streamBranch,
  calibrationBranch,
  usbBranch,
  bandwidthBranch,
  guardBranch,
  recordingBranch,
  lightingBranch, // before the robot's tables, which may ask for light
  extcamBranch,
  ownTableBranch,
  solveBranch,
  externalBranch,
  surveyBranch,
  lensCheckBranch,
  networkBranch,
  restartBranch, // it says which jobs are found again
  pluginProgramBranch, // so does it
  jobBranch,
  imuBranch,
  formatBranch,
  hostnameBranch,
  systemBranch,
  i2cBranch,
  bootloaderBranch,
  consoleBranch,
  ipaBranch,
  rigBranch,
  ideBranch,
  trustBranch,
  peerBranch,
  pairingBranch,
  tunnelBranch,
  remoteStreamBranch,
  httpBranch,
  updateBranch,
  discoveryBranch,
  extcamPortsBranch,
  mediaBranch, // ten thousand items take a moment to be looked through, and nobody waits for that
]
