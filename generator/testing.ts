/** What a service's own tests use: `import { sampleCalls } from 'duet-api/testing'`. */
export { losesPieces } from './samples/lost-pieces.js'
export { type SampleCall, sampleCalls } from './samples/sample-calls.js'
