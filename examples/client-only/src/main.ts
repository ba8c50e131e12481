import { warmest } from './warmest.js'

const { BASE_URL = 'http://127.0.0.1:4010' } = process.env
console.log('Oslo:', await warmest('Oslo', BASE_URL))
