// The boot firmware of the device.
import * as Effect from 'effect/Effect'
import { bootloaderView } from '../../actors/bootloader/bootloader-view.ts'
import { BOOTLOADER_VIEW } from '../../actors/bootloader/tokens.ts'
import { BOOTLOADER } from '../../native/bootloader/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { bootloaderPorts } from './ports.ts'

export const bootloaderBranch = branch({
  ports: bootloaderPorts,
  offers: [offer(BOOTLOADER_VIEW, { port: BOOTLOADER }, ({ port }) => bootloaderView(port))],
  needs: {},
  start: () => Effect.void,
})
