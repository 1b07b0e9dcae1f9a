// What computes calibrations on this device.
import { FakeCalibration } from '../../native/calibration/fake.ts'
import { linuxCalibration } from '../../native/calibration/linux.ts'
import { CALIBRATION } from '../../native/calibration/port.ts'
import { port } from '../composition/branch.ts'

export const calibrationPorts = [
  port(CALIBRATION, { device: () => linuxCalibration(), fake: () => new FakeCalibration() }),
]
