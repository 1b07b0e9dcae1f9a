// The plugins in docs/plugins on the real service, with real pictures: what a robot reads of a game piece, and what a
// node of a plugin measures.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isFault } from '../../machines/errors/fault.ts'
import { projectPath } from '../../native/files/project-root.ts'
import type { Nt4Update } from '../../native/nt4/port.ts'
import { packFolder } from '../../native/plugins/pack/pack.ts'
import { blockJpeg, type Colour } from '../support/media/block-jpeg.ts'
import { gather, nt4Lab } from '../support/nt4/nt4.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const noConfine = !existsSync(projectPath('native/addon/build/vedette-confine')) && 'vedette-confine is not built'
const noNumpy = spawnSync('/usr/bin/python3', ['-I', '-c', 'import numpy']).status !== 0 && 'there is no NumPy here'

const install = async (daemon: Daemon, name: string, grant: readonly string[]): Promise<void> => {
  const packed = await packFolder(projectPath(`docs/plugins/${name}`))
  assert.ok(!isFault(packed), JSON.stringify(packed))
  const headers = { 'content-type': 'application/zip' }
  const body = new Uint8Array(packed.bytes)
  await fetch(`${daemon.url}/v1/plugins/upload`, { method: 'POST', body, headers })
  const { status, body: said } = await daemon.send('POST', '/v1/plugins/install', { upload: `${name}-1.0.0`, grant })
  assert.equal(status, 200, JSON.stringify(said))
}

const GREY: Colour = [110, 110, 110]
const ORANGE: Colour = [250, 110, 10]
const [columns, rows] = [40, 30]

test('a robot reads where the orange piece is that a camera sees', { skip: noConfine }, async (t) => {
  const place = site(t)
  const path = join(place.dataDir, 'piece.jpg')
  const isPiece = (column: number, row: number) => column >= 28 && column < 33 && row >= 12 && row < 17
  writeFileSync(
    path,
    blockJpeg(columns, rows, (column, row) => (isPiece(column, row) ? ORANGE : GREY)),
  )
  const daemon = await place.start({ nt4: 'serve:127.0.0.1:0' })
  const pipeline = JSON.parse(readFileSync(projectPath('docs/plugins/note-finder/pipeline.json'), 'utf8'))
  const lens = { width_px: 320, height_px: 240, fx_px: 300, fy_px: 300, cx_px: 159.5, cy_px: 119.5, distortion: [] }
  await daemon.addStream({ id: 'front', source: { backend: 'images', path, fps: 30 }, intrinsics: lens, pipeline })
  const robot = await nt4Lab(t).connect(await until('the port of its NT4 server', () => daemon.nt4Port))
  const { updates } = gather(robot, ['/vedette/plugins/note-finder/'], { prefix: true, all: true })
  const newest = (key: string) =>
    updates.filter(({ topic }: Nt4Update) => topic.name.endsWith(`/front/${key}`)).at(-1)?.value

  await install(daemon, 'note-finder', ['read', 'topics'])

  await until('the piece', () => newest('seen'))
  const yaw = (Math.atan(((30.5 - 20) * 8) / 300) * 180) / Math.PI
  const found = await until('where it is', () => newest('yaw_deg') as number | undefined)
  assert.ok(found !== undefined && Math.abs(found - yaw) < 1, `${found} is not ${yaw}`)
  assert.equal(Number(await until('how many', () => newest('count'))), 1)
})

test('a node of a plugin measures a sharp picture as sharp', { skip: noConfine || noNumpy }, async (t) => {
  const place = site(t)
  const path = join(place.dataDir, 'chess.jpg')
  writeFileSync(
    path,
    blockJpeg(columns, rows, (column, row) => ((column + row) % 2 === 0 ? GREY : ORANGE)),
  )
  const daemon = await place.start()
  await install(daemon, 'sharpness', [])
  const pipeline = {
    nodes: [
      { id: 'source', type: 'source' },
      { id: 'sharp', type: 'sharpness.measure', params: { sharp_from: 10 } },
    ],
    edges: [{ from: 'source.image', to: 'sharp.image' }],
    outputs: [{ port: 'sharp', from: 'sharp.values' }],
  }

  await daemon.addStream({ id: 'front', source: { backend: 'images', path, fps: 10 }, pipeline })

  interface Sample {
    readonly sample?: { readonly rows: readonly { readonly values: Readonly<Record<string, unknown>> }[] }
  }
  const sampled = async () => (await daemon.send<Sample>('GET', '/v1/streams/front/pipeline/outputs/sharp/sample')).body
  const values = await until('a measure', async () => (await sampled()).sample?.rows[0]?.values)
  assert.ok(values)
  assert.equal(values.is_sharp, true)
  assert.ok(Number(values.sharpness) > 10)
})
