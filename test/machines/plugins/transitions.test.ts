// What orders make of what is stored of a plugin.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isFault } from '../../../machines/errors/fault.ts'
import { PERMISSIONS, type Permission } from '../../../machines/plugins/permission.ts'
import { pluginCollection, StoredPlugin } from '../../../machines/plugins/stored-plugin.ts'
import {
  type FirstWrite,
  firstWrite,
  firstWriteOfInstall,
  keptReleases,
  secondWrite,
} from '../../../machines/plugins/transitions.ts'
import { schemaErrors } from '../../../machines/schema/errors.ts'
import { misfits } from '../../../machines/settings/collection.ts'
import { shortOrLong } from '../../support/long.ts'
import { noteOf } from '../../support/plugins/notes.ts'

const NAME = 'note-finder'
const words = Object.keys(PERMISSIONS) as Permission[]
const some = fc.subarray(words)
const failed = { code: 'plugin.failed', detail: 'it ended' } as const

const packageWith = (version: string, permissions: readonly Permission[]) => {
  const note = noteOf(NAME, version)
  const mask = words.reduce((sum, word, n) => sum + (permissions.includes(word) ? 2 ** n : 0), 0)
  const release = `${version}-${mask.toString(16).padStart(12, '0')}` // as another package has another sum
  return { ...note, release, manifest: { ...note.manifest, permissions: [...permissions] } }
}

/** An order, and how what it starts ends. */
const step = fc.oneof(
  fc.record({
    type: fc.constant('install' as const),
    version: fc.constantFrom('1.0.0', '2.0.0', '3.0.0'),
    permissions: some,
    grant: fc.option(some, { nil: undefined }),
    enable: fc.boolean(),
    comesUp: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('enable' as const),
    grant: fc.option(some, { nil: undefined }),
    comesUp: fc.boolean(),
  }),
  fc.record({ type: fc.constantFrom('disable' as const, 'give_up' as const), comesUp: fc.constant(true) }),
)

test('whatever is ordered, nothing is granted that was not asked for, and what is stored fits', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let stored: StoredPlugin | undefined
      const asked = new Map<string, readonly Permission[]>()
      for (const each of steps) {
        let first: FirstWrite | ReturnType<typeof firstWrite>
        if (each.type === 'install') {
          const unpacked = packageWith(each.version, each.permissions)
          first = firstWriteOfInstall(unpacked, each, stored)
          if (!isFault(first)) asked.set(unpacked.release, each.permissions)
        } else {
          const manifest = stored && packageWith(stored.version, asked.get(stored.release) ?? []).manifest
          const order =
            each.type === 'enable'
              ? { type: 'plugin.enable' as const, name: NAME, ...(each.grant && { grant: each.grant }) }
              : each.type === 'disable'
                ? { type: 'plugin.disable' as const, name: NAME }
                : { type: 'plugin.give_up' as const, name: NAME, fault: failed }
          first = firstWrite(order, { stored, manifest })
        }
        if (isFault(first) || !first.stored) continue
        const before = stored
        stored = first.stored
        assert.deepEqual(misfits(pluginCollection, NAME, stored), [])
        if (first.next === 'up') stored = secondWrite(stored, each.comesUp ? null : failed)

        assert.deepEqual(schemaErrors(StoredPlugin, stored), [])
        assert.deepEqual(misfits(pluginCollection, NAME, stored), [])
        assert.equal(keptReleases(stored).length, 1)
        const isFailed = each.type === 'give_up' || (first.next === 'up' && !each.comesUp)
        assert.equal(stored.fault !== null, isFailed)
        for (const granted of stored.granted) assert.ok(asked.get(stored.release)?.includes(granted), granted)
        if (
          before &&
          each.type === 'install' &&
          !each.comesUp &&
          first.next === 'up' &&
          before.release !== first.stored.release
        )
          assert.equal(stored.release, before.release, 'it went back')
      }
    }),
    { seed: 353, numRuns: shortOrLong(300, 5_000) },
  )
})

test('a permission that the manifest does not ask for is granted to nobody', () => {
  const found = firstWriteOfInstall(packageWith('1.0.0', ['read']), { grant: ['network'], enable: true }, undefined)

  assert.ok(isFault(found) && found.code === 'plugin.not_asked')
  assert.match(found.detail, /does not ask for network, so that it cannot be granted; it asks for read/)
})
