// Everything that only `duet mock` loads.

export { curlExamples } from '../samples/curl.js'
export { contractOf } from './contract.js'
export { startMock } from './server.js'
