import type { Limits } from './api.js'

/** Fills in default limits. Throws an Error for a limit that is not an integer of at least 1. */
export function limitsOf(given: { readonly [Name in keyof Limits]?: Limits[Name] | undefined } = {}): Limits {
  const limit = (name: keyof typeof defaults) => {
    const value = given[name] ?? defaults[name]
    if (Number.isSafeInteger(value) && value >= 1) return value
    throw new Error(`limits.${name} is ${String(value)}: it must be an integer from 1`)
  }
  return {
    bodyBytes: limit('bodyBytes'),
    anonymousBodyBytes: Math.min(limit('anonymousBodyBytes'), limit('bodyBytes')),
    bodyValues: limit('bodyValues'),
    bodyParts: limit('bodyParts'),
    answerBytes: limit('answerBytes'),
    batchLength: limit('batchLength'),
    batchParallel: limit('batchParallel'),
    streamKeepAliveMs: limit('streamKeepAliveMs'),
    streamStallMs: limit('streamStallMs'),
    callMs: millisecondsOf('callMs', given.callMs),
    streamMs: millisecondsOf('streamMs', given.streamMs),
    streamIdleMs: millisecondsOf('streamIdleMs', given.streamIdleMs),
  }
}

function millisecondsOf(name: string, given: number | undefined): number | undefined {
  // Node turns any longer delay into 1 ms.
  if (given === undefined || (Number.isSafeInteger(given) && given >= 1 && given < 2 ** 31)) return given
  throw new Error(`limits.${name} is ${String(given)}: it must be an integer from 1 to 2147483647`)
}

const defaults = {
  bodyBytes: 1024 * 1024,
  anonymousBodyBytes: 16 * 1024,
  bodyValues: 20_000,
  bodyParts: 1_000,
  answerBytes: 16 * 1024 * 1024,
  batchLength: 100,
  batchParallel: 10,
  streamKeepAliveMs: 15_000,
  streamStallMs: 120_000,
}
