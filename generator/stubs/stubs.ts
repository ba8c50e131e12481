/** Scaffolding, for the command line to load when it is asked for. */
export { compile } from './compile.js'
export { readHandlerFiles } from './handler-files.js'
export { scaffold } from './scaffold.js'
export { isSource } from './scene.js'
export { wantedOf } from './wanted.js'
