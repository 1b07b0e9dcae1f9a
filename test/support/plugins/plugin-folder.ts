// Plugins as they lie on the disk when they are installed, for tests that run their programs.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import type { PluginManifest } from '../../../machines/plugins/manifest.ts'

/** What can be said of a plugin. */
export interface PluginFolderOptions {
  readonly runtime?: 'node' | 'python' | 'executable'
  /** Of its program; its file is `main.mjs`, `main.py` or `main`. */
  readonly program: string
  readonly manifest?: Partial<PluginManifest>
  readonly granted?: InstalledPlugin['granted']
  /** Other files of the package. */
  readonly files?: Readonly<Record<string, string>>
}

const FILE = { node: 'main.mjs', python: 'main.py', executable: 'main' } as const

/** A folder that is taken away with the test, in which plugins can be put. */
export const pluginFolder = (t: { readonly after: (end: () => void) => void }) => {
  const root = mkdtempSync(join(tmpdir(), 'vedette-plugins-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  return (name: string, { runtime = 'node', program, manifest, granted = [], files = {} }: PluginFolderOptions) => {
    const version = manifest?.version ?? '1.0.0'
    const folder = join(root, 'installed', name, version)
    const data_folder = join(root, 'data', name)
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    mkdirSync(data_folder, { recursive: true })
    const path = FILE[runtime]
    for (const [file, text] of Object.entries({ [path]: program, ...files })) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
    if (runtime === 'executable') chmodSync(join(folder, path), 0o755)
    const whole: PluginManifest = {
      name,
      version,
      minimum_api: 1,
      title: name,
      description: '',
      permissions: [...granted],
      program: { runtime, path },
      limits: { memory_mb: 256, cpu_percent: 50, disk_mb: 16, processes: 16 },
      provides: { routes: true },
      ...manifest,
    }
    const plugin: InstalledPlugin = { manifest: whole, folder, data_folder, granted }
    return plugin
  }
}
