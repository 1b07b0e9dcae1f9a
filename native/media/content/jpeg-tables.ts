// The Huffman tables that cameras leave out of their pictures (ITU T.81, annex K.3): their drivers say that everybody
// knows them. Not everybody does.

const DHT = 0xc4
const SOS = 0xda

/** All four of them, as one segment. */
const STANDARD = Buffer.from(
  [
    '/8QBogAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoLEAACAQMDAgQDBQUEBAAAAX0BAg',
    'MABBEFEiExQQYTUWEHInEUMoGRoQgjQrHBFVLR8CQzYnKCCQoWFxgZGiUmJygpKjQ1Njc4',
    'OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoOEhYaHiImKkpOUlZaXmJmaoq',
    'OkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4eLj5OXm5+jp6vHy8/T19vf4',
    '+foBAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKCxEAAgECBAQDBAcFBAQAAQJ3AAECAx',
    'EEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5',
    'OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoq',
    'OkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6',
  ].join(''),
  'base64',
)

/** The same picture with the standard tables, when it has none of its own. What is no JPEG stays as it is. */
export const withHuffmanTables = (jpeg: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength)
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at + 1] === DHT) return jpeg
    if (bytes[at + 1] === SOS) return Buffer.concat([bytes.subarray(0, at), STANDARD, bytes.subarray(at)])
  }
  return jpeg
}
