/** What a service's own tests use: `import { sampleCalls } from 'duet-api/testing'`. */
export { type SampleCall, sampleCalls } from './mock/sample-calls.js'
