// The HTTP server as a machine: walked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpServerMachine } from '../../../machines/http/http-server-machine.ts'
import { walk } from '../../support/walk.ts'

test('on all paths the server is listening only at a known address, and ends only with a fault', () => {
  walk(httpServerMachine, {
    samples: [
      { type: 'http.bound', address: { host: '127.0.0.1', port: 5800 } },
      { type: 'xstate.error.actor.serve', error: { code: 'http.port_taken', detail: 'the port is taken' } },
    ],
    check: ({ snapshot }) => {
      if (snapshot.value === 'listening') assert.equal(snapshot.context.address?.port, 5800)
      if (snapshot.status === 'done') assert.equal(snapshot.output.fault.code, 'http.port_taken')
    },
  })
})
