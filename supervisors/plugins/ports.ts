// The ports of plugins.
import { join } from 'node:path'
import { CLOCK } from '../../native/clock/port.ts'
import { MEDIA_ROOTS } from '../../native/media-roots/port.ts'
import { childWorker } from '../../native/plugins/packages/child-worker.ts'
import { fakePackages } from '../../native/plugins/packages/fake.ts'
import { fileOpener } from '../../native/plugins/packages/open-file.ts'
import { urlOpener } from '../../native/plugins/packages/open-url.ts'
import { PLUGIN_PACKAGES } from '../../native/plugins/packages/port.ts'
import { FilePackages } from '../../native/plugins/packages/store.ts'
import { FakePluginPrograms } from '../../native/plugins/process/fake.ts'
import { linuxPluginPrograms } from '../../native/plugins/process/linux.ts'
import { PLUGIN_PROGRAMS } from '../../native/plugins/process/port.ts'
import { port } from '../composition/branch.ts'

const needs = { clock: CLOCK, roots: MEDIA_ROOTS }

export const pluginPorts = [
  port(PLUGIN_PACKAGES, {
    needs,
    device: ({ dataDir, pluginHosts }, { clock, roots }) =>
      new FilePackages({
        folder: join(dataDir, 'plugins'),
        worker: childWorker(),
        clock,
        openUrl: urlOpener({ hosts: pluginHosts }),
        openFile: fileOpener(roots),
      }),
    fake: ({ clock, roots }) => fakePackages({ clock, openFile: fileOpener(roots), openUrl: urlOpener({ hosts: [] }) }),
  }),
]

/** What runs their programs. */
export const programPorts = [
  port(PLUGIN_PROGRAMS, { device: () => linuxPluginPrograms(), fake: () => new FakePluginPrograms() }),
]
