// Loaded into every measured process: records its peak memory when it ends.
import { appendFileSync } from 'node:fs'

process.on('exit', () => {
  appendFileSync(process.env.BENCH_USAGE ?? '', `${process.resourceUsage().maxRSS}\n`)
})
