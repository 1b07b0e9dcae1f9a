// What the system says of its I2C buses, as it was read: adapters, and the chips that it knows. Nothing of it was asked
// over a bus.

/** A chip that the system knows, by its firmware or since somebody told it. */
export interface I2cClientFacts {
  /** Seven bits. */
  readonly address: number
  /** As the system calls it: `bme280`. */
  readonly name: string
  /** null: no driver has it. */
  readonly driver: string | null
}

/** A bus, by what drives it. */
export interface I2cAdapterFacts {
  /** Of `i2c-1`; it holds until the device is started again. */
  readonly number: number
  /** As its driver calls it: `bcm2835 (i2c@7e804000)`. */
  readonly name: string
  /** null: the module i2c-dev is not loaded, so no program can reach the bus. */
  readonly device: string | null
  /** Where it sits in the device, as USB has it: `platform/soc/fe804000.i2c`. */
  readonly controller: string
  /** null: not known. */
  readonly driver: string | null
  /** What its node in the device tree says to be compatible with; empty: it has none. */
  readonly compatible: readonly string[]
  /** A graphics driver made it, or a connector of a display names it. */
  readonly is_of_display: boolean
  /** The firmware of the board keeps it for itself. */
  readonly is_of_firmware: boolean
  /** The tables of a PC's firmware (ACPI) describe it, and the firmware may use it too. */
  readonly is_of_acpi: boolean
  /** A chip on it supplies other parts with power. */
  readonly gives_power: boolean
  /** The adapter of which it is a channel; null: it is none. */
  readonly parent: number | null
  readonly clients: readonly I2cClientFacts[]
}

/** All of it, by number. */
export type I2cReading = readonly I2cAdapterFacts[]

/** `0x48`, as everybody writes addresses. */
export const addressText = (address: number): string => `0x${address.toString(16).padStart(2, '0')}`
