// The name of a Linux device, in a folder that stands for its system: this machine keeps its own.
import assert from 'node:assert/strict'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { type LinuxHostnameParts, linuxHostname } from '../../../native/hostname/linux.ts'
import type { ProgramsPort } from '../../../native/programs/port.ts'
import { dataFolder, faultOf } from '../../support/processes/documents.ts'

const HOSTS = '127.0.0.1\tlocalhost\n127.0.1.1\told old.lan\n::1\tlocalhost\n'

const device = (t: TestContext, parts: LinuxHostnameParts = {}) => {
  const etc = dataFolder(t)
  const path = (name: string) => join(etc, name)
  writeFileSync(path('kernel'), 'old\n')
  writeFileSync(path('hosts'), HOSTS)
  const port = linuxHostname({ etc, kernel: path('kernel'), hostnamectl: null, ...parts })
  const text = (name: string) => readFileSync(path(name), 'utf8')
  return {
    path,
    text,
    read: () => Effect.runPromise(port.read),
    write: (name: string) => Effect.runPromise(port.write(name)),
    refusal: async (program: 'read' | 'write') =>
      (await Effect.runPromise(faultOf(program === 'read' ? Effect.asVoid(port.read) : port.write('new')))).detail,
  }
}

/** A program in place of hostnamectl. */
const program = (t: TestContext, script: string): string => {
  const path = join(dataFolder(t), 'hostnamectl')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

test('the name in force is that of the kernel', async (t) => {
  assert.equal(await device(t).read(), 'old')
})

test('a new name is in force at once, kept for later starts, and can be looked up', async (t) => {
  const { write, read, text } = device(t)

  await write('new')

  assert.equal(await read(), 'new')
  assert.equal(text('hostname'), 'new\n')
  assert.equal(text('hosts'), HOSTS.replace('old old.lan', 'new'))
})

test('a missing line for the lookup is added; without the file the name is given all the same', async (t) => {
  const { write, text, path, read } = device(t)
  writeFileSync(path('hosts'), '127.0.0.1 localhost')
  await write('new')
  assert.equal(text('hosts'), '127.0.0.1 localhost\n127.0.1.1\tnew\n')

  rmSync(path('hosts'))
  await write('newer')
  assert.equal(await read(), 'newer')
})

test('where systemd runs it is the one who is told', async (t) => {
  const told = join(dataFolder(t), 'told')
  const { write, text } = device(t, { hostnamectl: program(t, `echo "$*" >${told}`) })

  await write('new')

  assert.equal(readFileSync(told, 'utf8'), 'set-hostname new\n')
  assert.equal(text('kernel'), 'old\n')
  assert.match(text('hosts'), /^127\.0\.1\.1\tnew$/m)
})

test('a name that was given is on the disk, where a power cut does not take it away', async (t) => {
  const ran: string[] = []
  const run: ProgramsPort['run'] = ({ program, args }) => {
    ran.push([program, ...args].join(' '))
    return Effect.succeed({ exitCode: 0, stdout: '', stderr: '' })
  }
  const { write, path } = device(t, { hostnamectl: program(t, ''), programs: { run } })

  await write('new')

  assert.deepEqual(ran, [`sync -f ${path('')}`])
})

test('what the system refuses is said with its reason and what to do', async (t) => {
  const denied = device(t, { hostnamectl: program(t, 'echo "Access denied" >&2; exit 1') })
  assert.match(
    await denied.refusal('write'),
    /^this device cannot be called new: .*failed with 1: Access denied\. .*root/,
  )
  assert.doesNotMatch(denied.text('hosts'), /new/)

  const missing = device(t, { etc: '/no/such/folder', kernel: '/no/such/file' })
  assert.match(await missing.refusal('write'), /^this device cannot be called new: ENOENT/)
  assert.match(await missing.refusal('read'), /^the name of this device cannot be read: ENOENT/)
})
