// Shares of the service's control group, in a folder that has the files of one.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { shareOf, unitIn } from '../../../native/programs/control-group.ts'
import { folderOf } from '../../support/processes/folder.ts'

const UNIT = '/system.slice/vedette.service'
const LIMITS = { memory_mb: 64, processes: 8, cpu_percent: 25 }

test('a share has the limits of the program, beside the group in which all others are', (t) => {
  const root = folderOf(t)
  const base = join(root, UNIT)
  mkdirSync(base, { recursive: true })
  writeFileSync(join(base, 'cgroup.procs'), '17\n')
  const own = join(root, 'own-group')
  writeFileSync(own, `0::${UNIT}\n`)

  const share = shareOf(LIMITS, root, own)

  const folder = share?.folder ?? ''
  const of = (file: string) => readFileSync(join(folder, file), 'utf8')
  assert.ok(folder.startsWith(`${base}/program-`))
  assert.deepEqual(['cpu.max', 'memory.max', 'pids.max'].map(of), ['25000 100000', String(64 * 1024 ** 2), '12'])
  assert.equal(readFileSync(join(base, 'own/cgroup.procs'), 'utf8'), '17')
  assert.equal(readFileSync(join(base, 'cgroup.subtree_control'), 'utf8'), '+cpu +memory +pids')

  writeFileSync(join(folder, 'memory.events'), 'low 0\noom_kill 0\n')
  assert.equal(share?.hasTakenTooMuch(), false)
  writeFileSync(join(folder, 'memory.events'), 'low 0\noom_kill 1\n')
  assert.equal(share?.hasTakenTooMuch(), true)
})

test('where the group is nobody’s to divide, or this is no such system, there is no share', (t) => {
  const root = folderOf(t)
  const own = join(root, 'own-group')
  for (const text of ['0::/user.slice/user-1000.slice/session-2.scope\n', '0::/\n', '', `0::${UNIT}\n`]) {
    writeFileSync(own, text)
    assert.equal(shareOf(LIMITS, root, own), undefined, text)
  }
  assert.equal(existsSync(join(root, 'system.slice')), false)
})

test('the unit is known before and after its group is divided', () => {
  assert.equal(unitIn(`0::${UNIT}\n`), 'vedette.service')
  assert.equal(unitIn(`12:pids:/\n0::${UNIT}/own\n`), 'vedette.service')
  assert.equal(unitIn('0::/user.slice/session-2.scope\n'), undefined)
})
