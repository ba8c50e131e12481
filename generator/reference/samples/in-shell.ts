/** A base URL for a shell's double quotes: signs that a shell reads, as in `$(…)`, are percent-encoded. */
export function inShell(url: string): string {
  return new URL(url).href
    .replace(/\/+$/, '')
    .replaceAll(/[^\w.~%/:@+,=&?[\]-]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
