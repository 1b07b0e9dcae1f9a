// Why two devices were not paired, in words for those who stand before them.

import type { Fault } from '../errors/fault.ts'
import { oneLine } from '../schema/one-line.ts'

const AGAIN = 'Begin again: open pairing on one device, and begin on the other'

/** To a device that calls, whatever the reason is: nobody learns more than that. */
export const NOT_OPEN: Fault = {
  code: 'pairing.not_open',
  detail: oneLine`
    this device is not waiting to be paired, or is being paired with another one just now. An administrator opens
    pairing on it (POST /v1/peers/pairing with {}); then there are two minutes
  `,
}

/** To a device that speaks of a run that is not its own, or is over. */
export const NO_RUN: Fault = {
  code: 'pairing.no_run',
  detail: `there is no such pairing here, or not any more. ${AGAIN}`,
}

/** To somebody who confirms. */
export const NOTHING_TO_CONFIRM: Fault = {
  code: 'pairing.no_code',
  detail: 'no code is waiting to be confirmed on this device: GET /v1/peers/pairing shows how far it is',
}

export const STORING: Fault = {
  code: 'actor.not_now',
  detail: 'both codes are confirmed and the two devices are being entered just now; try again in a few seconds',
}

export const WRONG_CODE: Fault = {
  code: 'pairing.wrong_code',
  detail: oneLine`
    the code that was typed is not the one that this device shows, so nobody was trusted. Perhaps it was mistyped, or
    read from the wrong screen: type here what the *other* device shows. If the two screens really show different codes,
    somebody may stand between the two devices. ${AGAIN}
  `,
}

export const NOBODY_CAME: Fault = {
  code: 'pairing.timed_out',
  detail: oneLine`
    no other device has called within two minutes, and pairing is closed again. Are both in the same network, and is the
    address right that was typed at the other one? ${AGAIN}
  `,
}

export const NOT_CONFIRMED: Fault = {
  code: 'pairing.timed_out',
  detail: oneLine`
    the code was not confirmed on both devices within two minutes, and pairing has ended. If the other device shows this
    one in its trust list already, delete that entry there. ${AGAIN}
  `,
}

export const LOST: Fault = {
  code: 'pairing.lost',
  detail: oneLine`
    nothing was heard of the other device for ten seconds: pairing was ended there, or the network between the two is
    cut. ${AGAIN}
  `,
}

export const ENDED_THERE: Fault = {
  code: 'pairing.ended_there',
  detail: `pairing was ended on the other device: its screen says why. Nobody was trusted here. ${AGAIN}`,
}

export const DISTURBED: Fault = {
  code: 'pairing.disturbed',
  detail: oneLine`
    a device has called and did not keep to what it had said. Either it is broken, or somebody stands between the two
    and changes what they say. Nobody was trusted. ${AGAIN}; if it happens again, connect the two by a cable of your own
  `,
}

/** Entered in the error history of the device that was called; who has said it hears NO_RUN, as everybody. */
export const OTHER_CERTIFICATE: Fault = {
  code: 'pairing.wrong_certificate',
  detail: oneLine`
    somebody spoke of the pairing that this device has with another one, and showed another certificate than that one.
    He was refused, and nobody was trusted for it. Either the other device has another identity since it was started
    again, or somebody stands between the two. ${AGAIN}; if it happens again, connect the two by a cable of your own
  `,
}

/** The device that is called shows another certificate than at the begin. origin: where it was called. */
export const otherCertificateAt = (origin: string): Fault => ({
  code: 'pairing.wrong_certificate',
  detail: oneLine`
    at ${origin} answers a device with another certificate than the one with which this pairing has begun, so it has
    ended, and nobody was trusted. Either that device has another identity since it was started again, or somebody
    stands between the two. ${AGAIN}; if it happens again, connect the two by a cable of your own
  `,
})

/** The same where somebody has confirmed the code here, and the other device has still to conclude it. */
export const otherConcludesAt = (origin: string): Fault => ({
  code: 'pairing.wrong_certificate',
  detail: oneLine`
    a pairing that was confirmed here waits for the device at ${origin}, where another certificate is shown now than the
    one that was confirmed; until the right one answers there, nobody is trusted. Either that device has another
    identity since then, or somebody stands between the two. ${AGAIN}; if it happens again, connect the two by a cable
    of your own
  `,
})
