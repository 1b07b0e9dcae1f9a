// The ports of updates.
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { type LaunchedBy, launchedBy } from '../../native/update/directory.ts'
import { FakeBundles, FakeUpdateBackend, FakeUpdateRecords } from '../../native/update/fake.ts'
import { installedBackend } from '../../native/update/installed.ts'
import { deviceJudging, TEAM_KEYS } from '../../native/update/judging.ts'
import { noBundles, noRecords, noUpdates } from '../../native/update/none.ts'
import { askOwnApi } from '../../native/update/own-api.ts'
import { ASK_OWN_API, BUNDLE_STORE, UPDATE_BACKEND, UPDATE_RECORDS } from '../../native/update/port.ts'
import { recordFile } from '../../native/update/record-file.ts'
import { fileBundleStore } from '../../native/update/upload-store.ts'
import { port } from '../composition/branch.ts'
import { RECORD } from '../composition/tokens.ts'

/** Beside the versions, too: where nobody may write to /etc. */
const keyFilesOf = ({ system }: LaunchedBy): readonly string[] => [TEAM_KEYS, join(system, 'update-keys.json')]

export const updatePorts = [
  port(UPDATE_BACKEND, {
    needs: { directory: DIRECTORY },
    device: ({ dataDir }, { directory }) => {
      const { version } = directory.identity
      const launched = launchedBy(process.env)
      return launched ? installedBackend({ launched, dataDir, version }) : noUpdates(version)
    },
    fake: () => new FakeUpdateBackend(),
  }),
  port(BUNDLE_STORE, {
    device: () => {
      const launched = launchedBy(process.env)
      return launched
        ? fileBundleStore({
            folder: join(launched.system, 'upload'),
            judging: () => deviceJudging({ keyFiles: keyFilesOf(launched) }),
          })
        : noBundles
    },
    fake: () => new FakeBundles(),
  }),
  port(UPDATE_RECORDS, {
    needs: { record: RECORD },
    device: (_, { record }) => {
      const launched = launchedBy(process.env)
      return launched ? recordFile(join(launched.system, 'update.json'), record) : noRecords
    },
    fake: () => new FakeUpdateRecords(),
  }),
  port(ASK_OWN_API, { device: () => askOwnApi, fake: () => () => Effect.void }),
]
