// HEAD of what has no end: nobody knows how long it is, so nobody says that it is nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeApi } from '../support/api/api.ts'

const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 30 }

for (const path of ['preview', 'preview?fps=5'])
  test(`HEAD of ${path} says what comes and no length`, async (t) => {
    const { app } = await fakeApi(t)
    const headers = { host: 'localhost' }
    await app.inject({ method: 'POST', url: '/v1/streams', headers, payload: { id: 'front', source } })

    const { statusCode, headers: said } = await app.inject({
      method: 'HEAD',
      url: `/v1/streams/front/${path}`,
      headers,
    })

    assert.equal(statusCode, 200)
    assert.match(String(said['content-type']), /^multipart\//)
    assert.equal(said['content-length'], undefined)
  })
