/** What a service's own tests use: `import { sampleCalls } from 'duet-api/testing'`. */
export { type SampleCall, sampleCalls } from './samples/sample-calls.js'
