/** Environment of a process that first runs a module's source. */
export function preloading(source: string): { readonly NODE_OPTIONS: string } {
  const encoded = Buffer.from(source).toString('base64')
  return { NODE_OPTIONS: `--import=data:text/javascript;base64,${encoded}` }
}
