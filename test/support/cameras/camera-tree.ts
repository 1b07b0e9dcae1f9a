// Folders as the system shows cameras in them: sysfs and the device files, with USB cameras that are plugged in and
// pulled out.
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A camera of the tree. */
export interface TreeCamera {
  /** Of its device file. */
  readonly number: number
  readonly port?: string
  readonly index?: number
  readonly bus?: number
  /** Of its USB device; null: there is no such file. */
  readonly files?: Readonly<Record<string, string | null>>
}

const USB = {
  idVendor: '1d6c',
  idProduct: '0103',
  manufacturer: 'Acme',
  product: 'HD Cam',
  serial: 'SN0001',
  speed: '480',
  authorized: '1',
}

/** A tree in an empty folder. */
export class CameraTree {
  readonly sysfs: string
  readonly dev: string
  #plugs = 10

  constructor(folder: string) {
    this.sysfs = join(realpathSync(folder), 'sys')
    this.dev = join(realpathSync(folder), 'dev')
    for (const each of [join(this.sysfs, 'class/video4linux'), this.dev]) mkdirSync(each, { recursive: true })
  }

  /** The folder of a USB device. */
  usbFolder({ port = '1.3', bus = 1 }: Pick<TreeCamera, 'port' | 'bus'> = {}): string {
    return join(this.sysfs, `devices/platform/scb/fd500000.pcie/usb${bus}/${bus}-${port}`)
  }

  /** Plugs one in; the device file comes last, as it does. Returns it. */
  plug({ number, port = '1.3', index = 0, bus = 1, files = {} }: TreeCamera): string {
    const usb = this.usbFolder({ port, bus })
    const made = join(usb, `${bus}-${port}:1.0`)
    const node = join(made, `video4linux/video${number}`)
    mkdirSync(node, { recursive: true })
    this.#plugs += 1
    const all = { ...USB, busnum: `${bus}`, devnum: `${this.#plugs}`, devpath: port, ...files }
    for (const [name, value] of Object.entries(all)) if (value !== null) writeFileSync(join(usb, name), `${value}\n`)
    writeFileSync(join(node, 'name'), 'HD Cam: HD Cam\n')
    writeFileSync(join(node, 'index'), `${index}\n`)
    symlinkSync(made, join(node, 'device'))
    symlinkSync(node, this.#entry(number))
    const device = join(this.dev, `video${number}`)
    writeFileSync(device, '')
    return device
  }

  unplug(number: number): void {
    const node = realpathSync(this.#entry(number))
    rmSync(join(this.dev, `video${number}`))
    rmSync(this.#entry(number))
    rmSync(dirname(dirname(dirname(node))), { recursive: true })
  }

  #entry(number: number): string {
    return join(this.sysfs, `class/video4linux/video${number}`)
  }
}
