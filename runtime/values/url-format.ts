import { fullFormats } from 'ajv-formats/dist/formats.js'

/** The group of the format's expression that reads user and password; with it each `@` of a text is tried from the start. */
const userinfo = '(?:\\S+(?::\\S*)?@)?'

const { source, flags } = fullFormats.url as RegExp
const withoutUser = new RegExp(source.replace(userinfo, ''), flags)

/**
 * Format `url`, in linear time. What follows user and password has neither `@` nor `/` up to the end of the host, so that
 * of each part between slashes only what stands behind its last `@` can be the host.
 */
export function url(text: string): boolean {
  const start = /^(?:https?|ftp):\/\//i.exec(text)?.[0]
  if (start === undefined || /\s/.test(text)) return false
  return text
    .slice(start.length)
    .split('/')
    .some((part, index) => {
      const at = part.lastIndexOf('@')
      const isHost = index === 0 ? at !== 0 : at !== -1
      return isHost && withoutUser.test(start + part.slice(at + 1))
    })
}
