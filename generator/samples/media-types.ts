/** Media types within a media range, the likeliest first. A concrete type is itself. */
export function typesWithin(range: string): readonly [string, ...string[]] {
  if (!range.includes('*')) return [range]
  const prefix = range.replace(/\*.*$/, '')
  const [first = `${prefix}x.sample`, ...others] = usual.filter((type) => type.startsWith(prefix))
  return [first, ...others]
}

const usual = [
  'application/octet-stream',
  'application/pdf',
  'image/jpeg',
  'image/png',
  'audio/mpeg',
  'audio/ogg',
  'video/mp4',
  'video/webm',
  'text/plain',
  'text/csv',
  'font/woff2',
]
