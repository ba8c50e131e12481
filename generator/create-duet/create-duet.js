#!/usr/bin/env node
// `npm create duet shop -- --spec api.yaml` is `duet init shop --spec api.yaml`.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const manifest = createRequire(import.meta.url).resolve('duet-api/package.json')
process.argv.splice(2, 0, 'init')
await import(new URL('bin/duet.js', pathToFileURL(manifest)).href)
