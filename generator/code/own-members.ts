/** Own members of every client; an operation or namespace called so stands there with an underscore. */
export const ownMembers: ReadonlySet<string> = new Set(['batch', 'call', 'notify'])
