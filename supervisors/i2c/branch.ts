// I2C buses. Nothing runs here: they are looked at when somebody asks, and a scan is a job.
import * as Effect from 'effect/Effect'
import { I2cBuses } from '../../actors/i2c/i2c-buses.ts'
import { I2C_BUSES } from '../../actors/i2c/tokens.ts'
import { I2C } from '../../native/i2c/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { i2cPorts } from './ports.ts'

export const i2cBranch = branch({
  ports: i2cPorts,
  offers: [offer(I2C_BUSES, { i2c: I2C }, (parts) => new I2cBuses(parts))],
  needs: {},
  start: () => Effect.void,
})
