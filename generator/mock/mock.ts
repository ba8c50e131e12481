// What `duet mock` loads, and no other command does.
export { contractOf } from './contract.js'
export { curlExamples } from './curl.js'
export { startMock } from './server.js'
