// The logs of a Linux system.
import type { Clock } from '../clock/port.ts'
import type { ProgramsPort } from '../programs/port.ts'
import { Journal } from './journal.ts'
import { kernelLog } from './kernel.ts'
import { KernelBuffer } from './kernel-buffer.ts'
import type { Logs, OwnLog } from './port.ts'

/** What they are read with. */
export interface LinuxLogsParts {
  readonly programs: ProgramsPort
  readonly own: Pick<OwnLog, 'boots'>
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicUs'>
}

export const linuxLogs = ({ programs, own: { boots }, clock }: LinuxLogsParts): Logs => ({
  journal: new Journal({ programs, boots, isKernel: false }),
  kernel: kernelLog(new Journal({ programs, boots, isKernel: true }), new KernelBuffer({ clock, boots })),
})
