// Addresses of cameras on the network: what is wrong with them, and what of them is shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressComplaints, shownAddress } from '../../../../machines/stream/sources/camera-address.ts'

test('an address is shown without what could be a secret, and what is shown is taken for no address', () => {
  const shown: Readonly<Record<string, string>> = {
    'http://10.0.0.9:1181/stream.mjpg': 'http://10.0.0.9:1181/stream.mjpg',
    'http://10.0.0.9/video?key=secret&x=1': 'http://10.0.0.9/video?...',
    'http://10.0.0.9/video?a\nsecret': 'http://10.0.0.9/video?...',
    'rtsp://me:secret@10.0.0.9/stream1': 'rtsp://10.0.0.9/stream1',
    'http:me:secret@10.0.0.9/video': 'http:10.0.0.9/video',
    'http://me:se@cret@10.0.0.9/a@b': 'http://10.0.0.9/a@b',
  }

  for (const [url, expected] of Object.entries(shown)) assert.equal(shownAddress(url), expected)
  assert.equal(addressComplaints('http://10.0.0.9/video?...', '').length, 1)
})

test('what is no address of a camera is said, and nothing of it is repeated', () => {
  const reasons: Readonly<Record<string, RegExp>> = {
    nonsense: /is no address/,
    'file:///secret': /is no address/,
    'javascript:secret': /is no address/,
    'http://me:secret@10.0.0.9/': /holds a name or password.*give them elsewhere/,
    'rtsp://secret@10.0.0.9/': /holds a name or password/,
  }

  for (const [url, reason] of Object.entries(reasons)) {
    const [why = ''] = addressComplaints(url, 'elsewhere')
    assert.match(why, reason)
    assert.ok(!why.includes('secret'))
  }
})
