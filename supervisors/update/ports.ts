// The ports of updates.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { FakeBundles, FakeUpdateBackend, FakeUpdateRecords } from '../../native/update/fake.ts'
import { noBundles, noRecords, noUpdates } from '../../native/update/none.ts'
import { askOwnApi } from '../../native/update/own-api.ts'
import { ASK_OWN_API, BUNDLE_STORE, UPDATE_BACKEND, UPDATE_RECORDS } from '../../native/update/port.ts'
import { port } from '../composition/branch.ts'

export const updatePorts = [
  port(UPDATE_BACKEND, {
    needs: { directory: DIRECTORY },
    device: (_, { directory }) => noUpdates(directory.identity.version),
    fake: () => new FakeUpdateBackend(),
  }),
  port(BUNDLE_STORE, { device: () => noBundles, fake: () => new FakeBundles() }),
  port(UPDATE_RECORDS, { device: () => noRecords, fake: () => new FakeUpdateRecords() }),
  port(ASK_OWN_API, { device: () => askOwnApi, fake: () => () => Effect.void }),
]
