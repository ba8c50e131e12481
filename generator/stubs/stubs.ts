/** Scaffolding, for the command line to load when it is asked for. */
export { readHandlerFiles } from './handler-files.js'
export { scaffold } from './scaffold.js'
export { wantedOf } from './wanted.js'
