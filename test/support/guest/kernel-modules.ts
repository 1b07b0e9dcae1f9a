// Modules that Debian's kernel does not bring, which make hardware out of nothing: LEDs (uleds), lines of GPIO
// (gpio-sim), a clock by which a sensor is read (iio-trig-hrtimer), all built of Debian's own source; and an IMU
// (made_up_imu.c). They are built for the kernel of an emulated machine, kept, and never shipped.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { cachedFolder } from '../../../native/package/cache.ts'
import type { DebianImage } from './debian-image.ts'

/** What Debian's package of the source brings. */
const SOURCE = '/usr/src/linux-source-6.1.tar.xz'

/** What of it is needed. */
const FILES = [
  ...['drivers/leds/uleds.c', 'drivers/leds/leds.h', 'drivers/gpio/gpio-sim.c', 'kernel/irq/irq_sim.c'],
  ...['gpiolib.h', 'gpiolib-acpi.h', 'gpiolib-cdev.h', 'gpiolib-of.h', 'gpiolib-sysfs.h'].map(
    (name) => `drivers/gpio/${name}`,
  ),
  'drivers/iio/trigger/iio-trig-hrtimer.c',
  ...['sw-trigger', 'configfs'].map((name) => `drivers/iio/industrialio-${name}.c`),
]

const KBUILD = `ccflags-y += -DCONFIG_IRQ_SIM=1 -I$(src)
obj-m += uleds.o gpiosim.o made_up_imu.o iio-trig-hrtimer.o industrialio-sw-trigger.o industrialio-configfs.o
gpiosim-y := gpio-sim.o irq_sim.o
`

/** Of our own. */
const IMU = join(import.meta.dirname, 'made_up_imu.c')

/** A kernel without IRQ_SIM keeps the first of the two to itself; the second does the same here. */
const NOT_EXPORTED = 'handle_simple_irq(irq_to_desc(irqnum))'
const EXPORTED = 'generic_handle_irq(irqnum)'

/** The version of an image's kernel: `6.1.0-56-amd64`. */
const versionOf = ({ kernel }: DebianImage): string => basename(kernel).replace('vmlinuz-', '')

const headersOf = (version: string): string => `/usr/src/linux-headers-${version}`

/** Why they cannot be built for an image, as a sentence; undefined: they can. */
const noModulesFor = (version: string): string | undefined => {
  const missing = [
    ...(existsSync(SOURCE) ? [] : ['linux-source-6.1']),
    ...(existsSync(headersOf(version)) ? [] : [`linux-headers-${version}`]),
  ]
  return missing.length === 0 ? undefined : `apt-get install ${missing.join(' ')} is needed`
}

/**
 * A folder with the modules (`uleds.ko`, ...), built where they are not there yet. Throws a sentence where they cannot
 * be.
 */
export const kernelModules = (image: DebianImage): string => {
  const version = versionOf(image)
  return cachedFolder('modules', [version, FILES, KBUILD, EXPORTED, readFileSync(IMU, 'utf8')], (into) => {
    const missing = noModulesFor(version)
    if (missing !== undefined) throw new Error(missing)
    const work = join(into, 'work')
    mkdirSync(work)
    execFileSync('tar', ['-xJf', SOURCE, '-C', work, '--strip-components=1', ...FILES.map(inArchive)])
    for (const path of FILES) copyFileSync(join(work, path), join(into, basename(path)))
    rmSync(work, { recursive: true })
    const simulated = join(into, 'irq_sim.c')
    writeFileSync(simulated, readFileSync(simulated, 'utf8').replace(NOT_EXPORTED, EXPORTED))
    copyFileSync(IMU, join(into, basename(IMU)))
    writeFileSync(join(into, 'Kbuild'), KBUILD)
    execFileSync('make', ['-s', '-C', headersOf(version), `M=${into}`, 'modules'], { stdio: 'pipe' })
    for (const path of globSync('*.ko', { cwd: into })) execFileSync('strip', ['--strip-debug', join(into, path)])
  })
}

const inArchive = (path: string): string => `${basename(SOURCE, '.tar.xz')}/${path}`
