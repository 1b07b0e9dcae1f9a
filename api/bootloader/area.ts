// What lies below the service: the firmware that starts the device.
import { BOOTLOADER_VIEW } from '../../actors/bootloader/tokens.ts'
import { Bootloader, bootloaderExample } from '../../machines/bootloader/bootloader.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { sendDocument } from '../endpoints/answer.ts'
import { areaOf } from '../endpoints/area.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { read } from '../endpoints/read.ts'

const needs = { view: BOOTLOADER_VIEW }

export const bootloaderArea = areaOf(needs, ({ view }) =>
  area('bootloader', 'What lies below the service: boot firmware.', [
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
  ]),
)
