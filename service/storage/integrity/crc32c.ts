/**
 * CRC-32C (RFC 3720, appendix B.4) of several byte ranges as one. PostgreSQL uses it as the checksum of log records.
 */
export function crc32c(...ranges: readonly Uint8Array[]): number {
  let crc = 0xffffffff
  for (const range of ranges) {
    for (const byte of range) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  }
  return ~crc >>> 0
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let entry = byte
  for (let bit = 0; bit < 8; bit++) entry = entry & 1 ? (entry >>> 1) ^ 0x82f63b78 : entry >>> 1
  return entry
})
