import type { Comparison } from './change/change.js'
import { Collector } from './change/collector.js'
import { following } from './change/protocol.js'
import { type Side, titleOf } from './change/side.js'
import { conclusionOf } from './change/verdict.js'
import { Judgement } from './decide/judgement.js'
import { answerFacts } from './facts/answers/answers.js'
import { carrierFacts } from './facts/carriers.js'
import { componentFacts } from './facts/components.js'
import { documentationFacts, documentDocumentationFacts } from './facts/documentation.js'
import { endpointFacts } from './facts/endpoint.js'
import { errorCatalogueFacts, errorFacts, errorMemberFacts } from './facts/errors.js'
import { existenceFacts } from './facts/existence.js'
import { callbackFacts, webhookFacts } from './facts/messages.js'
import { lifecycleFacts } from './facts/parts/lifecycle-facts.js'
import type { OperationPair, Tools } from './facts/parts/pair.js'
import { sharedNameFacts } from './facts/request/body-binding.js'
import { filledDefaultFacts } from './facts/request/filled-defaults.js'
import { requestFacts } from './facts/request/params.js'
import { queryFieldFacts } from './facts/request/query-fields.js'
import { readingFacts } from './facts/request/readings.js'
import { wholeFacts } from './facts/request/whole.js'
import { documentSecurityFacts, securityFacts } from './facts/security.js'
import { ownServerFacts, rpcPathFacts, serverFacts } from './facts/servers.js'
import { shadowFacts } from './facts/shadows.js'
import { argumentTextFacts, toolFacts, toolSearchFacts } from './facts/tools.js'
import { type Pairing, pairEndpoints } from './pairing/pairing.js'
import { pairingScore } from './pairing/score.js'
import { Reach } from './reach/reach.js'
import { Sameness } from './same/same.js'
import { Unchanged } from './same/unchanged.js'
import { exploreNode } from './schema/explore.js'
import { SchemaGraph } from './schema/graph.js'

export interface CompareOptions {
  /** The day of the review, `2026-11-21`: sunsets before it are past. Default: today by UTC. */
  readonly today?: string
  /**
   * The days of notice that callers need between a deprecation and its sunset. Above 0, a deprecation must have a
   * sunset. Default: 0.
   */
  readonly noticeDays?: number
}

/** Compares two versions of a service for each protocol. Throws only on defects. */
export function compare(old: Side, new_: Side, options: CompareOptions = {}): Comparison {
  const collector = new Collector(old, new_)
  const pairing = pairEndpoints(old.endpoints, new_.endpoints)
  if (old !== new_) collect(old, new_, pairing, collector, options)
  return {
    title: titleOf(new_) || titleOf(old),
    old: { file: old.document.file, version: old.version },
    new: { file: new_.document.file, version: new_.version },
    ...conclusionOf(old.version, new_.version, collector.changes, collector.protocols),
    pairing: pairingScore(pairing, old.endpoints.length, new_.endpoints.length),
    pairs: pairing.pairs.map((pair) => ({ ...pair, old: pair.old.name, new: pair.new.name })),
  }
}

/** Adds every change to the collector. */
function collect(
  old: Side,
  new_: Side,
  pairing: Pairing,
  collector: Collector,
  options: CompareOptions,
): void {
  const notice = {
    today: options.today ?? new Date().toISOString().slice(0, 10),
    days: options.noticeDays ?? 0,
  }
  const sameness = new Sameness(old, new_)
  const graph = new SchemaGraph(old, new_, sameness, new Judgement(old, new_, sameness), notice, exploreNode)
  const tools: Tools = {
    collector,
    reach: new Reach(graph, collector),
    notice,
  }
  const unchanged = new Unchanged(old, new_)
  documentSecurityFacts(old, new_, pairing, tools)
  serverFacts(old, new_, pairing, tools)
  rpcPathFacts(old, new_, pairing, tools)
  errorCatalogueFacts(old, new_, tools)
  existenceFacts(new_, pairing, tools)
  toolSearchFacts(old, new_, tools)
  const pairs: OperationPair[] = []
  for (const { old: before, new: after, callers } of pairing.pairs) {
    const protocols = following(callers)
    const pair: OperationPair = { old, new: new_, before, after, tools, ...(protocols && { protocols }) }
    for (const topic of before.webhook ? webhookTopics : topicsAround) topic(pair)
    if (before.webhook || unchanged.has(before, after)) continue
    pairs.push(pair)
    for (const topic of topics) topic(pair)
  }
  tools.reach.report()
  filledDefaultFacts(pairs)
  carrierFacts(pairs)
  readingFacts(pairs)
  queryFieldFacts(pairs)
  sharedNameFacts(pairs)
  wholeFacts(pairs, tools)
  documentDocumentationFacts(old, new_, tools)
  componentFacts(old, new_, tools)
}

/** Comparisons that depend on other operations, on the day, or on what the document declares for all operations. */
const topicsAround = [
  endpointFacts,
  shadowFacts,
  ownServerFacts,
  lifecycleFacts,
  securityFacts,
  errorMemberFacts,
  toolFacts,
]
const topics = [requestFacts, answerFacts, errorFacts, callbackFacts, documentationFacts, argumentTextFacts]
const webhookTopics = [endpointFacts, webhookFacts, documentationFacts]
