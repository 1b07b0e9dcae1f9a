// The line of a frame beside a recording.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordOf } from '../../../machines/recording/sidecar.ts'
import { packed } from '../../support/engine/packed.ts'

test('of a picture with more in it than is looked at in time its line says so, and of others nothing', () => {
  const lineOf = (too_full: number) => recordOf(packed({ seq: 7, captured_us: 1000, too_full }, []), 1000)

  assert.deepEqual([lineOf(1)?.seq, lineOf(1)?.too_full], [7, true])
  assert.equal('too_full' in (lineOf(0) ?? {}), false)
})
