// The kernel's account of a process, from its files.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadOfThreads, MakerLoad, readThreads } from '../../../native/engine/threads.ts'
import { folderOf } from '../../support/processes/folder.ts'

/** state: as in `ps`. ticks: of 10 ms, in user and system mode. ns: what schedstat says. */
const stat = (id: number, name: string, state: string, ticks: readonly [number, number]) =>
  `${id} (${name}) ${state} 1 1 1 0 -1 4194304 100 0 0 0 ${ticks[0]} ${ticks[1]} 0 0 20 0 11 0 1000 0 0\n`

test('threads are counted by purpose, with a strange name too, and in ticks without schedstat', (t) => {
  const proc = folderOf(t)
  const threads = [
    { id: 40, text: stat(40, 'a) R (b', 'S', [3, 1]), schedstat: '45000000 7000 12\n' },
    { id: 41, text: stat(41, 'worker', 'R', [10, 2]) },
    { id: 42, text: stat(42, 'worker', 'S', [0, 0]), schedstat: '2500000 1 1\n' },
    { id: 43, text: stat(43, 'capture', 'D', [1, 0]) },
  ]
  for (const { id, text, schedstat } of threads) {
    mkdirSync(join(proc, '40', 'task', String(id)), { recursive: true })
    writeFileSync(join(proc, '40', 'task', String(id), 'stat'), text)
    if (schedstat) writeFileSync(join(proc, '40', 'task', String(id), 'schedstat'), schedstat)
  }
  mkdirSync(join(proc, '40', 'task', '44')) // it ends while it is being read

  assert.deepEqual(readThreads(40, proc), {
    all: { cpuMs: 45 + 120 + 2.5 + 10, isRunnable: true },
    main: { cpuMs: 45, isRunnable: false },
    worker: { cpuMs: 122.5, isRunnable: true },
  })
  assert.deepEqual(loadOfThreads(40, 'worker', proc), { cpuMs: 122.5, isRunnable: true })
  assert.deepEqual(loadOfThreads(40, 'host 1', proc), { cpuMs: 0, isRunnable: false })
})

test('of a thread that makes plans only what it computes meanwhile is counted', (t) => {
  const proc = folderOf(t)
  const folder = join(proc, '40', 'task', '40')
  mkdirSync(folder, { recursive: true })
  const says = (name: string, state: string, ms: number) =>
    writeFileSync(join(folder, 'stat'), stat(40, name, state, [ms / 10, 0]))
  const maker = new MakerLoad(40, proc)

  const looks = [
    ['libuv-worker', 'R', 5000],
    ['maker', 'R', 6000], // it may have begun just now
    ['maker', 'D', 6200],
    ['libuv-worker', 'R', 9000],
    ['maker', 'R', 9500],
    ['maker', 'R', 9600],
  ] as const
  const seen = looks.map(([name, state, ms]) => {
    says(name, state, ms)
    return maker.look()
  })

  assert.deepEqual(
    seen.map(({ cpuMs }) => cpuMs),
    [0, 0, 200, 200, 200, 300],
  )
  assert.deepEqual(
    seen.map(({ isRunnable }) => isRunnable),
    [false, true, false, false, true, true],
  )
})

test('a process that is gone has no threads', () => {
  assert.equal(readThreads(4_194_304), undefined)
})

test('of this process, the thread that looks is the one that runs', () => {
  const before = readThreads(process.pid)
  const since = process.cpuUsage()
  while (process.cpuUsage(since).user < 30_000); // µs that were computed: another process may have the processor
  const after = readThreads(process.pid)

  assert.ok(after?.main.isRunnable)
  assert.ok(after.main.cpuMs > (before?.main.cpuMs ?? Number.POSITIVE_INFINITY))
})
