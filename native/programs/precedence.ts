// The place of the service among all programs of the device.
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Three times the processor of another program that wants it as well; what the system itself needs stays before it. */
const NICE = -5

/**
 * Where the kernel shares the processor among sessions first (autogroup), a value of one process counts for nothing
 * beyond its session: so the session has it as well.
 */
const OWN_SESSION = '/proc/self/autogroup'

/**
 * The thread that calls this, and what it starts from then on, comes before other programs: a pose that is late is
 * wrong. Where the system does not allow it, the service is a program like any other.
 */
export const takePrecedence = (): void => {
  try {
    setPriority(NICE)
    writeFileSync(OWN_SESSION, String(NICE))
  } catch {
    // it needs a limit that the unit of the package sets (LimitNICE), or root; and not each kernel has sessions
  }
}
