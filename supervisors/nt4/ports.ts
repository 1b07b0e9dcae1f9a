// The ports of NT4.
import { HOST_NAME, namesOf } from '../../machines/http/host-name.ts'
import { FakeNt4Port } from '../../native/nt4/fake.ts'
import { FakeNt4Inspection } from '../../native/nt4/fake-inspection.ts'
import { webSocketInspection } from '../../native/nt4/inspection/ws-inspection.ts'
import { NT4, NT4_INSPECTION } from '../../native/nt4/port.ts'
import { webSocketNt4 } from '../../native/nt4/ws-port.ts'
import { port } from '../composition/branch.ts'

export const nt4Ports = [
  port(NT4, {
    needs: { hostName: HOST_NAME },
    device: ({ origins }, { hostName }) =>
      webSocketNt4({
        origins,
        get names() {
          return namesOf(hostName)
        },
      }),
    fake: () => new FakeNt4Port(),
  }),
  port(NT4_INSPECTION, { device: () => webSocketInspection(), fake: () => new FakeNt4Inspection() }),
]
