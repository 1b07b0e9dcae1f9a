// docs/machines.md says what the machines do today.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setup } from 'xstate'
import { describedMachines, machinesPage } from '../../docs/generate-machines.ts'
import { needed } from '../../machines/effects.ts'

test('docs/machines.md is what the machines give', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/machines.md'), 'utf8')

  assert.equal(page, machinesPage(describedMachines()), 'docs/machines.md is stale; run: npm run docs')
})

test('a diagram shows states, guards, delays, effects, states within states and ends', () => {
  const machine = setup({
    actors: { turnKey: needed<void>('turnKey') },
    guards: { codeIsRight: () => true },
    delays: { patience: 5 },
  }).createMachine({
    id: 'door',
    initial: 'closed',
    on: { kick: '.broken-down' },
    states: {
      closed: { on: { lock: [{ guard: 'codeIsRight', target: 'locking' }, { target: 'closed' }], knock: {} } },
      locking: { invoke: { id: 'turnKey', src: 'turnKey', onDone: 'locked', onError: 'closed' } },
      locked: {
        initial: 'quiet',
        on: { unlock: 'closed', alarm: '.loud' },
        states: { quiet: { after: { patience: 'loud' } }, loud: { after: { 1000: 'quiet' } } },
      },
      'broken-down': { type: 'final' },
    },
  })

  const page = machinesPage([{ name: 'door', machine, about: 'One door.' }])

  for (const line of [
    'state "broken-down" as broken_down',
    '  [*] --> closed',
    'closed --> locking: lock [codeIsRight]',
    'closed --> closed: lock [else]',
    'locking --> locked: turnKey done',
    'locking --> closed: turnKey failed',
    'state locked {',
    'locked__quiet --> locked__loud: after patience',
    'locked__loud --> locked__quiet: after 1000 ms',
    'locked --> closed: unlock',
    'locked_any --> locked__loud: alarm',
    'broken_down --> [*]',
    'machine_any --> broken_down: kick',
    '| closed |  | `knock` |',
    '| locking | `turnKey` |  |',
  ]) {
    assert.ok(page.includes(`${line}\n`) || page.includes(`${line.trim()}\n`), `${line}\nis missing in\n${page}`)
  }
})
