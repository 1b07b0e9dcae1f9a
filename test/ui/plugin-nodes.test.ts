// A node that a plugin brings in the editor: in the palette, with its form, and gone when the plugin is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPage } from '../support/api/browser.ts'
import { graphWithNode, installNode } from '../support/plugins/installed-node.ts'
import { site } from '../support/processes/daemon.ts'

test('a node of a plugin is among the nodes to add, and has its form, as long as there is the plugin', async (t) => {
  const daemon = await site(t).start()
  await installNode(t, daemon)
  const source = { backend: 'synthetic', width_px: 640, height_px: 400, fps: 30 } as const
  await daemon.addStream({ id: 'front', alias: 'Front', source, pipeline: graphWithNode })
  const { page } = await openPage(t, daemon.url, { path: '/pipelines/of/front?node=look' })
  const palette = page.getByRole('region', { name: 'Nodes to add' })

  await page.getByRole('slider', { name: 'Gain, slider' }).waitFor()
  await palette.getByRole('heading', { name: 'Plugins' }).waitFor()
  await palette.getByRole('button', { name: 'trial.look' }).click()
  const added = await page.getByText('look_2').first().textContent()
  await daemon.send('POST', '/v1/plugins/trial/disable', {})
  await palette.getByRole('heading', { name: 'Plugins' }).waitFor({ state: 'detached' })

  assert.match(added ?? '', /look_2/)
})
