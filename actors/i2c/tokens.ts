// The tokens of I2C.
import { token } from '../../machines/token.ts'
import type { I2cBuses } from './i2c-buses.ts'

/** The buses, for readers and for whoever has one scanned. */
export const I2C_BUSES = token<I2cBuses>('i2c-buses')
