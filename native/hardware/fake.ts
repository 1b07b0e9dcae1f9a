// A device whose condition is what a test says.
import type { Hardware } from '../../machines/extcam/snapshot.ts'
import type { HardwarePort } from './port.ts'

export class FakeHardware implements HardwarePort {
  now: Hardware | undefined
  readonly latest = () => this.now
}
