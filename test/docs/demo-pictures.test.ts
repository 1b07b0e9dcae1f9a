// The pictures of the demo in the README: what somebody sees who starts the service and opens its page. With PICTURES=1
// they are taken again.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { projectPath } from '../../native/files/project-root.ts'
import { openPage } from '../support/api/browser.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const README = readFileSync(projectPath('README.md'), 'utf8')

test('the page of the demo shows its picture with the tags in it, and where the robot is', async (t) => {
  const daemon = await site(t).start({ demo: '1', nt4: 'serve:127.0.0.1:0' })
  const { page } = await openPage(t, daemon.url)
  await page.getByText('robot linked').first().waitFor()
  await page
    .getByRole('img', { name: /^Demo camera/ })
    .first()
    .waitFor()
  const tags = page.locator('.overview-tile .figure', { hasText: 'tags' })
  await until(
    'tags in the picture',
    () => tags.textContent(),
    (text) => /\d/.test(text ?? ''),
  )
  await page
    .locator('dd', { hasText: /\d\.\d\d\s?m/ })
    .first()
    .waitFor()

  if (process.env.PICTURES) await page.screenshot({ path: projectPath('docs/pictures/demo.png') })
  assert.ok(README.includes('docs/pictures/demo.png'))
})
