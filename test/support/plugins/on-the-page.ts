// Plugins with panels, a service that has one stream, and the room of the page in which they are tried.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { isFault } from '../../../machines/errors/fault.ts'
import { projectPath } from '../../../native/files/project-root.ts'
import { packFolder } from '../../../native/plugins/pack/pack.ts'
import { type Daemon, type Flags, site } from '../processes/daemon.ts'
import { folderOf } from '../processes/folder.ts'

const small = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 10 } as const

/** A service with one stream. */
export const device = async (t: TestContext, flags: Flags = {}): Promise<Daemon> => {
  const place = site(t, undefined, { VEDETTE_ENGINE: 'fake' })
  const open = await place.start({ profile: 'bench' })
  await open.addStream({ id: 'front', alias: 'Front', source: small })
  if (Object.keys(flags).length === 0) return open
  await open.end('SIGTERM')
  return place.start(flags)
}

/** A package as it is chosen on the page. */
export interface Packed {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

const packed = async (folder: string): Promise<Packed> => {
  const found = await packFolder(folder)
  assert.ok(!isFault(found), JSON.stringify(found))
  const { name, version } = found.manifest
  return { name: `${name}-${version}.zip`, mimeType: 'application/zip', buffer: Buffer.from(found.bytes) }
}

/** The plugin that plots an output. */
export const plot = (): Promise<Packed> => packed(projectPath('docs/plugins/output-plot'))

/** A plugin with a panel of these files, which asks to read. */
export const ownPanel = async (
  t: TestContext,
  files: Readonly<Record<string, string>>,
  program?: string,
): Promise<Packed> => {
  const folder = folderOf(t)
  mkdirSync(join(folder, 'panel'))
  const manifest = {
    name: 'own-panel',
    version: '1.0.0',
    minimum_api: 1,
    title: 'Own panel',
    permissions: ['read'],
    provides: { panel: { title: 'Own', folder: 'panel' } },
    ...(program !== undefined && { program: { runtime: 'node', path: 'main.mjs' } }),
  }
  if (program !== undefined) writeFileSync(join(folder, 'main.mjs'), program)
  writeFileSync(join(folder, 'vedette-plugin.json'), JSON.stringify(manifest))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, 'panel', path), text)
  return packed(folder)
}

/** Chooses a package in the room Plugins. */
export const add = (page: Page, file: Packed) => page.getByLabel('Package of a plugin').setInputFiles({ ...file })

/** What is in the frame of a panel. */
export const frameOf = (page: Page, title: string) => page.frameLocator(`iframe[title="${title}"]`)

/** The first file of a panel that says something. */
export const PANEL_PAGE =
  '<!doctype html><html lang="en"><title>x</title><p id="said"></p><script type="module" src="a.js"></script>'

/** Sends a package as a program does. */
export const upload = ({ url }: Daemon, { buffer }: Packed): Promise<Response> =>
  fetch(`${url}/v1/plugins/upload`, {
    method: 'POST',
    body: new Uint8Array(buffer),
    headers: { 'content-type': 'application/zip' },
  })
