// The header in which a caller says which device is meant.

/**
 * The header with the `device_id` that is meant. An address may be another device's by now, and without a fingerprint
 * nothing else shows it: who reads another id than the own one does nothing, and answers `peer.other_device`.
 */
export const DEVICE_HEADER = 'x-vedette-device'
