// The server name by which devices ask for one another over TLS.

/**
 * Who asks for this name in the handshake (SNI) is shown the identity of the device, everybody else the certificate for
 * browsers. It is said nowhere else: it need not be found in any network, and the Host header names the device as ever.
 */
export const PEER_SERVER_NAME = 'peer.vedette.internal'
