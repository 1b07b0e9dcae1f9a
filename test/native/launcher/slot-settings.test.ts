// Two systems over one data folder, each with the packaged version: what each finds as its settings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotIn } from '../../../machines/update/settings-name.ts'
import { prepareStart, type StartParts } from '../../../native/launcher/prepare.ts'
import { ModelDisk } from '../../support/update/model-disk.ts'

const DATA = '/data'

/** A device on which the service ran without slots, and had settings. */
const device = async () => {
  const disk = new ModelDisk()
  await disk.makeFolder(`${DATA}/settings/packaged`)
  await disk.write(`${DATA}/settings/packaged/vedette.db`, Buffer.from('first'))
  const parts: StartParts = {
    system: '/system',
    packaged: '/packaged',
    dataDir: DATA,
    disk,
    settings: {
      copy: async (from, to) =>
        disk.write(`${to}/vedette.db`, (await disk.read(`${from}/vedette.db`)) ?? Buffer.from('none')),
      differing: () => [],
    },
    nowMs: () => 5,
    warn: (sentence) => assert.fail(sentence),
  }
  const start = async (slot: string | null) => (await prepareStart({ ...parts, slot })).settings
  const text = async (folder: string) => (await disk.read(`${folder}/vedette.db`))?.toString()
  const write = async (folder: string, content: string) => {
    await disk.remove(`${folder}/vedette.db`)
    await disk.write(`${folder}/vedette.db`, Buffer.from(content))
  }
  return { start, text, write }
}

test('each slot has settings of its own, the second those of the first as they were at its first start', async () => {
  const { start, text, write } = await device()

  const a = await start('A')
  const found = await text(a)
  await write(a, 'of A')
  const b = await start('B')
  const copied = await text(b)
  await write(b, 'of B')
  const again = await start('A')

  assert.deepEqual([a, b, again], [`${DATA}/settings/packaged-A`, `${DATA}/settings/packaged-B`, a])
  assert.deepEqual([found, copied, await text(again)], ['first', 'of A', 'of A'])
})

test('a system without slots has them where they always were', async () => {
  const { start, text } = await device()

  const settings = await start(null)

  assert.equal(settings, `${DATA}/settings/packaged`)
  assert.equal(await text(settings), 'first')
})

test('the slot is what the command line of the kernel says', () => {
  assert.equal(slotIn('root=/dev/vda2 rauc.slot=A quiet\n'), 'A')
  assert.equal(slotIn('rauc.slot=system0'), 'system0')
  assert.equal(slotIn('root=/dev/vda2 norauc.slot=A rauc.slot=../B\n'), null)
})
