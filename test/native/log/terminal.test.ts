// The log on a terminal that nobody reads.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hasPty, loadPty, openPty } from '../../../native/console/pty.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { arrival, until } from '../../support/until.ts'

const LOUD = fileURLToPath(new URL('../../support/processes/loud-terminal.ts', import.meta.url))
const skip = hasPty() ? false : 'there is no addon that opens terminals for this machine'

test('a terminal that takes nothing holds nobody up, and has all that was logged when it is read', {
  skip,
}, async (t) => {
  const file = join(folderOf(t), 'went-on')
  const ended = Promise.withResolvers<number>()
  const line = { file: process.execPath, args: [LOUD, file], env: {}, folder: '/', columns: 80, rows: 24 }
  const { pid, stream } = openPty(loadPty(), line, ended.resolve)
  let isOver = false
  t.after(() => {
    if (!isOver) process.kill(pid, 'SIGKILL')
    stream.destroy()
  })
  stream.on('error', () => {}) // it ends so

  await until('the end of what it logs', () => existsSync(file))

  let shown = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  const code = await arrival('its end', ended.promise)
  isOver = true
  await until('the last line', () => shown.includes('line 1000 '))
  assert.equal(code, 0)
})
