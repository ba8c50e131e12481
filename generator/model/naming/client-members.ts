/** Members that every client has. An operation or namespace with such a name gets an underscore. */
export const ownMembers: ReadonlySet<string> = new Set(['batch', 'call', 'notify'])
