// The error history: what went wrong on this device, counted.

import type { Directory } from '../../actors/directory.ts'
import { errorsCleared } from '../../machines/errors/events.ts'
import { ErrorEntry, errorEntryExample, errorsOf } from '../../machines/errors/history.ts'
import Type from '../../machines/schema/type.ts'
import { staleFault } from '../../machines/settings/commit.ts'
import { blob } from '../endpoints/blob.ts'
import { command } from '../endpoints/command.ts'
import { type Area, area } from '../endpoints/endpoint.ts'
import { list } from '../endpoints/list.ts'

const strict = { additionalProperties: false } as const

const ErrorExport = Type.Object(
  {
    version: Type.String({ description: 'Of the service.' }),
    epoch: Type.String({ description: 'Another one at each start of the service.' }),
    exported_at_ms: Type.Integer({ description: 'Unix time.' }),
    errors: Type.Array(ErrorEntry, { description: 'The most recent first.' }),
  },
  { ...strict, title: 'ErrorExport', description: 'The error history as a file, to be sent along with a report.' },
)

export const errorArea: Area = area('errors', 'What went wrong.', [
  list('GET', '/v1/errors', {
    name: 'ErrorList',
    summary: 'The error history',
    about: 'Equal faults of one resource are one entry with a count. The history and its revision survive restarts.',
    order: 'The most recent first.',
    item: ErrorEntry,
    example: errorEntryExample,
    items: ({ directory }) => errorsOf(directory.errors),
    keyOf: ({ code, resource, last_at_ms }) => `${last_at_ms} ${code} ${resource}`,
    revision: ({ directory }) => revisionOf(directory),
  }),

  command('DELETE', '/v1/errors', {
    summary: 'Clear the error history',
    to: 'errors',
    conditional: true,
    publishes: [errorsCleared],
    send: ({ directory, expected }) =>
      staleFault('the error history', revisionOf(directory), expected) ?? { type: 'errors.clear' },
    revision: ({ directory }) => revisionOf(directory),
    faults: ['storage.failed', 'storage.full', 'storage.in_use', 'storage.unavailable'],
  }),

  blob('GET', '/v1/errors/export', {
    summary: 'The error history as a file',
    mediaType: 'application/json',
    headers: { 'Content-Disposition': 'A name for the file.' },
    schema: ErrorExport,
    example: { version: '0.1.0', epoch: 'k3v9x1', exported_at_ms: 1_767_229_300_000, errors: [errorEntryExample] },
    get: ({ directory }) => ({
      bytes: `${JSON.stringify(exportOf(directory), null, 2)}\n`,
      headers: { 'content-disposition': 'attachment; filename="vedette-errors.json"' },
    }),
  }),
])

const revisionOf = ({ errors }: Directory): number => errors.getSnapshot().context.revision

const exportOf = ({ identity, clock, errors }: Directory) => ({
  version: identity.version,
  epoch: identity.epoch,
  exported_at_ms: clock.nowMs(),
  errors: errorsOf(errors),
})
