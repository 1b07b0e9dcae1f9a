// What lies below the service: the firmware that starts the device, and its console.
import { BOOTLOADER_VIEW } from '../../actors/bootloader/tokens.ts'
import { Bootloader, bootloaderExample } from '../../machines/bootloader/bootloader.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import { sendDocument } from '../endpoints/answer.ts'
import { areaOf } from '../endpoints/area.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'

const needs = { view: BOOTLOADER_VIEW }

const Console = Type.Object(
  {
    available: Type.Boolean({ description: 'Whether a shell can be had through this service.' }),
    detail: Type.String({ description: 'What is true, and how one gets a shell.' }),
  },
  { additionalProperties: false, title: 'DeviceConsole', description: 'A shell on the device.' },
)

const NO_CONSOLE = {
  available: false,
  detail: oneLine`
    This version gives no shell on the device: what can be set is set over this API. Whoever needs one uses SSH, or a
    keyboard and a screen.
  `,
}

export const bootloaderArea = areaOf(needs, ({ view }) =>
  area('bootloader', 'What lies below the service: boot firmware, console.', [
    read('GET', '/v1/device/bootloader', {
      summary: 'The boot firmware',
      about: oneLine`
        By rpi-eeprom-update on a Raspberry Pi, by fwupd elsewhere. Where neither is there, \`detail\` says what is
        true.
      `,
      answer: Bootloader,
      example: bootloaderExample,
      get: () => view.status(),
    }),

    custom('POST', '/v1/device/bootloader/update', {
      because: 'no actor stages firmware: a program of the system does, once',
      summary: 'Stage the newest boot firmware',
      about: oneLine`
        Answers when it is written where the next start of the device finds it; that start puts it in, and must not be
        interrupted. Nothing is restarted by this: \`POST /v1/device/restart\` does that. One that is the newest already
        stays as it is.
      `,
      access: 'administer',
      answer: { status: 'ok', mediaType: 'application/json', schema: Bootloader, example: bootloaderExample },
      serve: async (_, reply) => sendDocument(reply, 'ok', await view.stage()),
      faults: ['device.failed'],
    }),

    read('GET', '/v1/device/console', {
      summary: 'The console of the device',
      about: 'A placeholder: whether there is a shell, and what is true.',
      answer: Console,
      example: NO_CONSOLE,
      get: () => NO_CONSOLE,
    }),
  ]),
)
