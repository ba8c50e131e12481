import { fullFormats } from 'ajv-formats/dist/formats.js'

/**
 * The part of the format's expression that matches user and password. It makes the expression retry from the
 * start for each `@` in a text.
 */
const userinfo = '(?:\\S+(?::\\S*)?@)?'

const { source, flags } = fullFormats.url as RegExp
const withoutUser = new RegExp(source.replace(userinfo, ''), flags)

/**
 * Format `url`, in linear time. The host follows user and password and contains neither `@` nor `/`. So in
 * each part between slashes, only the text after the last `@` can be the host.
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
