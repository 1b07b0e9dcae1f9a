// Which chips sit at which addresses, and by which register a chip says what it is. An address alone is a guess: there
// are 112 of them for thousands of chips. The numbers are those of the manufacturers' data sheets; where Linux has a
// driver they were compared with what that asks for (docs/decisions/0385-what-is-asked-of-an-i2c-bus.md).

/** A register in which a chip says what it is. */
export interface IdentityRegister {
  readonly register: number
  /** How long its value is; of two bytes the first one is the high one. */
  readonly bytes: 1 | 2
  readonly value: number
}

/** A kind of chip. */
export interface KnownChip {
  readonly name: string
  /** What it is for, in few words. */
  readonly what: string
  readonly addresses: readonly number[]
  /** All of them must fit. Empty: it has none, so it stays a guess. */
  readonly identity: readonly IdentityRegister[]
  /** Where the numbers stand. */
  readonly source: string
}

const byte = (register: number, value: number): IdentityRegister => ({ register, bytes: 1, value })
const word = (register: number, value: number): IdentityRegister => ({ register, bytes: 2, value })
const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n)

const MOTION = 'accelerometer and gyroscope'
const NINE_AXES = 'accelerometer, gyroscope and magnetometer'
const INVENSENSE = 'WHO_AM_I in the register map of InvenSense (TDK)'
const ST = 'WHO_AM_I (0Fh) in the data sheet of ST'
const BOSCH = 'CHIP_ID in the data sheet of Bosch Sensortec'
const TI = 'Manufacturer ID and Die ID registers in the data sheet of Texas Instruments'
const AT_68 = [0x68, 0x69]
const AT_6A = [0x6a, 0x6b]

const invensense = (name: string, value: number, what = MOTION): KnownChip => ({
  name,
  what,
  addresses: AT_68,
  identity: [byte(0x75, value)],
  source: INVENSENSE,
})
const lsm6 = (name: string, value: number): KnownChip => ({
  name,
  what: MOTION,
  addresses: AT_6A,
  identity: [byte(0x0f, value)],
  source: ST,
})
const nameless = (name: string, what: string, addresses: readonly number[]): KnownChip => ({
  name,
  what,
  addresses,
  identity: [],
  source: 'it has no register that names it',
})

/** The table. Of chips at one address those come first that are met most. */
export const KNOWN_CHIPS: readonly KnownChip[] = [
  invensense('MPU-6050 or MPU-9150', 0x68),
  invensense('MPU-6500', 0x70),
  invensense('MPU-9250', 0x71, NINE_AXES),
  invensense('MPU-9255', 0x73, NINE_AXES),
  invensense('ICM-20602', 0x12),
  invensense('ICM-20608', 0xaf),
  invensense('ICM-20689', 0x98),
  invensense('ICM-42605', 0x42),
  invensense('ICM-42688-P', 0x47),
  { ...invensense('ICM-20948', 0, NINE_AXES), identity: [byte(0x00, 0xea)] },
  { name: 'BMI160', what: MOTION, addresses: AT_68, identity: [byte(0x00, 0xd1)], source: BOSCH },
  lsm6('LSM9DS1', 0x68),
  lsm6('LSM6DS3', 0x69),
  lsm6('LSM6DSL or LSM6DS3TR-C', 0x6a),
  lsm6('LSM6DSR or ISM330DHCX', 0x6b),
  lsm6('LSM6DSO or LSM6DSOX', 0x6c),
  { name: 'BNO055', what: 'orientation', addresses: [0x28, 0x29], identity: [byte(0x00, 0xa0)], source: BOSCH },
  {
    name: 'LIS3DH or LIS2DH',
    what: 'accelerometer',
    addresses: [0x18, 0x19],
    identity: [byte(0x0f, 0x33)],
    source: ST,
  },
  {
    name: 'LIS3MDL or LSM9DS1',
    what: 'magnetometer',
    addresses: [0x1c, 0x1e],
    identity: [byte(0x0f, 0x3d)],
    source: ST,
  },
  {
    name: 'LIS2MDL or LSM303AGR',
    what: 'magnetometer',
    addresses: [0x1e],
    identity: [byte(0x4f, 0x40)],
    source: 'WHO_AM_I (4Fh) in the data sheet of ST',
  },
  {
    name: 'VL53L0X',
    what: 'distance',
    addresses: [0x29],
    identity: [byte(0xc0, 0xee)],
    source: 'reference registers (C0h) in the data sheet of ST',
  },
  {
    name: 'INA226',
    what: 'current and voltage',
    addresses: range(0x40, 0x4f),
    identity: [word(0xfe, 0x5449), word(0xff, 0x2260)],
    source: TI,
  },
  {
    name: 'INA260',
    what: 'current and voltage',
    addresses: range(0x40, 0x4f),
    identity: [word(0xfe, 0x5449), word(0xff, 0x2270)],
    source: TI,
  },
  {
    name: 'INA3221',
    what: 'current and voltage of three rails',
    addresses: range(0x40, 0x43),
    identity: [word(0xfe, 0x5449), word(0xff, 0x3220)],
    source: TI,
  },
  {
    name: 'TMP117',
    what: 'temperature',
    addresses: range(0x48, 0x4b),
    identity: [word(0x0f, 0x0117)],
    source: 'Device ID register in the data sheet of Texas Instruments',
  },
  nameless('INA219', 'current and voltage', range(0x40, 0x4f)),
  nameless('ADS1015 or ADS1115', 'voltages', range(0x48, 0x4b)),
  nameless('BNO085', 'orientation', [0x4a, 0x4b]),
  nameless('an EEPROM', 'stored data', range(0x50, 0x57)),
  nameless('ATECC608', 'keys', [0x60, 0x61]),
  nameless('DS3231', 'clock', [0x68]),
  nameless('PCA9685', 'PWM for lamps and servos', range(0x40, 0x47)),
  nameless('PCF8574', 'inputs and outputs', [...range(0x20, 0x27), ...range(0x38, 0x3f)]),
  nameless('SSD1306', 'small display', [0x3c, 0x3d]),
  nameless('TCA9548A', 'multiplexer of I2C', range(0x70, 0x77)),
  nameless('BMP280, BME280 or BMP390', 'pressure', [0x76, 0x77]),
]

/** Those that may be at an address. */
export const chipsAt = (address: number): readonly KnownChip[] =>
  KNOWN_CHIPS.filter(({ addresses }) => addresses.includes(address))

/**
 * Addresses at which no register is asked for, and why. To ask for one its number is written, and here sit chips that
 * take any byte as an order: an output that switches, a channel that opens, the place where an EEPROM writes.
 */
const NOT_ASKED: readonly (readonly [from: number, to: number, why: string])[] = [
  [0x20, 0x27, 'a chip of outputs may be there, which would switch them'],
  [0x38, 0x3f, 'a chip of outputs or a small display may be there, which would take it as an order'],
  [0x50, 0x57, 'an EEPROM may be there, to which nothing is ever written'],
  [0x60, 0x67, 'a chip that gives a voltage, or one of keys, may be there, which would take it as an order'],
  [0x70, 0x77, 'a multiplexer may be there, which would open channels'],
]

/** Why no register is asked for at an address; undefined: they may be. */
export const whyNotAsked = (address: number): string | undefined =>
  NOT_ASKED.find(([from, to]) => address >= from && address <= to)?.[2]

/** The registers that tell the chips of an address apart, each once. */
export const registersAt = (address: number): readonly Pick<IdentityRegister, 'register' | 'bytes'>[] => {
  if (whyNotAsked(address) !== undefined) return []
  const all = chipsAt(address).flatMap(({ identity }) => identity)
  return all
    .filter((each, at) => all.findIndex((one) => one.register === each.register && one.bytes === each.bytes) === at)
    .map(({ register, bytes }) => ({ register, bytes }))
}
