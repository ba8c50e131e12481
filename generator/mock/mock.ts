// What `duet mock` loads, and no other command does.

export { curlExamples } from '../samples/curl.js'
export { contractOf } from './contract.js'
export { startMock } from './server.js'
