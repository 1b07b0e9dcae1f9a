// The tokens of the boot firmware.
import { token } from '../../machines/token.ts'
import type { BootloaderView } from './bootloader-view.ts'

/** The boot firmware, for readers and for whoever stages another. */
export const BOOTLOADER_VIEW = token<BootloaderView>('bootloader-view')
