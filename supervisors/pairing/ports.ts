// The port of the codes of pairing.
import { FakePairingCodes } from '../../native/pairing/fake.ts'
import { PAIRING_CODES } from '../../native/pairing/port.ts'
import { sha256Codes } from '../../native/pairing/sha256.ts'
import { port } from '../composition/branch.ts'

export const pairingPorts = [port(PAIRING_CODES, { device: () => sha256Codes, fake: () => new FakePairingCodes() })]
