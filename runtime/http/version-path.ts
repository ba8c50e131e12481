/** `1.1.0`, `v1` */
export const looksLikeVersion = /^[vV]?\d+(\.\d+){0,2}(-[\w.]+)?$/

/** Whether a path begins like a version. A cheap test, because every request needs it. */
export function mayBeVersion(url: string): boolean {
  const code = url.charCodeAt(1)
  return code === lowerV || code === upperV || (code >= digit0 && code <= digit0 + 9)
}

const lowerV = 0x76
const upperV = 0x56
const digit0 = 0x30

export function firstSegment(url: string): string {
  const [, segment = ''] = /^\/([^/?#]*)/.exec(url) ?? []
  return segment
}

/** The target behind the first segment of a path. */
export function behindFirst(url: string, segment: string): string {
  const behind = url.slice(segment.length + 1)
  return behind.startsWith('/') ? behind : `/${behind}`
}
