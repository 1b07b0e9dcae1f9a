// The ports of access over HTTP, and of the name and certificate under which the device is found.
import { hostname } from 'node:os'
import { join } from 'node:path'
import { HOST_NAME, namesOf } from '../../machines/http/host-name.ts'
import { Latest } from '../../machines/latest.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { FakeSessions } from '../../native/session/fake.ts'
import { fileSessions } from '../../native/session/file.ts'
import { SESSION_STORE } from '../../native/session/port.ts'
import { FakeCertificates } from '../../native/tls/fake.ts'
import { certificateFiles } from '../../native/tls/files.ts'
import { CERTIFICATES } from '../../native/tls/port.ts'
import { fakeTokens } from '../../native/tokens/fake.ts'
import { fileTokens } from '../../native/tokens/file.ts'
import { noTokens } from '../../native/tokens/none.ts'
import { TOKENS } from '../../native/tokens/port.ts'
import { port } from '../composition/branch.ts'
import { RECORD } from '../composition/tokens.ts'

const called = (name: string): Latest<string> => {
  const slot = new Latest<string>()
  slot.set(name)
  return slot
}

export const httpPorts = [
  port(HOST_NAME, { device: () => called(hostname()), fake: () => called('vedette-7') }),
  port(TOKENS, {
    needs: { record: RECORD },
    device: ({ profile, dataDir }, { record }) =>
      profile === 'bench' ? noTokens : fileTokens(join(dataDir, 'administrator-token'), record),
    fake: () => fakeTokens('good-token'),
  }),
  port(SESSION_STORE, {
    needs: { record: RECORD },
    device: ({ dataDir }, { record }) => fileSessions(join(dataDir, 'sessions'), record),
    fake: () => new FakeSessions(),
  }),
  port(CERTIFICATES, {
    needs: { hostName: HOST_NAME, clock: CLOCK },
    device: ({ dataDir }, { hostName, clock }) =>
      certificateFiles({
        folder: join(dataDir, 'tls'),
        nowMs: clock.nowMs,
        get names() {
          return namesOf(hostName)
        },
      }),
    fake: () => new FakeCertificates(),
  }),
]
