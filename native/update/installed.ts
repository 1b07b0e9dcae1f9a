// Who installs updates on a device on which a launcher has started this run.
import { linuxDbus } from '../dbus/linux.ts'
import { restartDevice } from '../dbus/login.ts'
import { chooseBackend } from './choose.ts'
import { directoryBackend, type LaunchedBy } from './directory.ts'
import type { UpdateBackend } from './port.ts'
import { raucBackend } from './rauc.ts'

/** What such a device is known by. */
export interface InstalledOn {
  readonly launched: LaunchedBy
  readonly dataDir: string
  /** Of this service. */
  readonly version: string
}

/** RAUC where it is on the system bus; versions side by side elsewhere. */
export const installedBackend = ({ launched, dataDir, version }: InstalledOn): UpdateBackend => {
  const dbus = linuxDbus()
  return chooseBackend({
    dbus,
    rauc: raucBackend({ dbus, system: launched.system, dataDir, version, restart: restartDevice(dbus) }),
    otherwise: directoryBackend({ ...launched, dataDir }),
  })
}
