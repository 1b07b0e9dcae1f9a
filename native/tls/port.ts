// The device's own certificate.

/** PEM texts. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}
