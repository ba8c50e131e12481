/** What generated servers, and programs that use them, import. */
export { type Binary, decodeBinaries } from './contract/binaries.js'
export {
  type BuiltInErrorCode,
  builtInErrors,
  type ErrorCatalogue,
  type ErrorDefinition,
} from './contract/catalogue.js'
export type {
  Contract,
  OperationValidators,
  Route,
  Validator,
  ValidatorError,
} from './contract/contract.js'
export type { HttpRequest } from './contract/http-request.js'
export { exactInt64, nativeInt64 } from './contract/int64.js'
export { jsonLogger, type LogDetails, type Logger } from './contract/logger.js'
export type {
  AnswerMedia,
  BinaryGraph,
  BinaryNode,
  BodyBinding,
  BodyMedia,
  CallProtocol,
  ClientProtocol,
  Coercion,
  DatetimeGraph,
  DatetimeNode,
  FailureBinding,
  HeaderBinding,
  Int64Graph,
  Int64Node,
  Int64Numbers,
  Int64Positions,
  JsonType,
  Method,
  Operation,
  ParameterBinding,
  PositionNode,
  Protocol,
  RestBinding,
  SecurityRequirement,
  SecurityScheme,
  ToolBinding,
} from './contract/operation.js'
export { pieceText } from './contract/piece.js'
export { ProblemError, type ProblemErrorOptions, toProblem } from './contract/problem.js'
export type { Problem, Violation } from './contract/problem-details.js'
export { type ReplacedNode, type ReplacedValues, replaceValues } from './contract/replaced-values.js'
export type { Reply } from './contract/reply.js'
export { keepRawBody } from './http/body.js'
export { type FailurePage, failurePage } from './http/failure-page.js'
export { hasTooManyFields, tooManyFields } from './http/fields.js'
export { beginAnswer, closeGently, endConnection, endGently, isBehindLast } from './http/last-answer.js'
export { type ReferenceOptions, referenceHeaders, referencePages } from './http/reference.js'
export { isPageRequest, pathOf } from './http/target.js'
export { isOver } from './http/unread.js'
export type { Sunset } from './http/version-headers.js'
export {
  type Adapter,
  AdapterError,
  type CallNext,
  type Conversion,
  type OperationAdapter,
  olderCodes,
  type Refusal,
  type Replacement,
} from './server/adapter.js'
export type { Api, CallOptions, Faces, Fallback, FetchInfo } from './server/api/api.js'
export type {
  CallRequest,
  Context,
  ErrorTypes,
  OperationTypeMap,
  ProblemMembers,
} from './server/api/context.js'
export type { Limits } from './server/api/limits.js'
export type {
  ApiOptions,
  AuthenticationCall,
  Call,
  CallEvent,
  Credentials,
  McpOptions,
  SecuredApiOptions,
  WorkMeter,
} from './server/api/options.js'
export type { Port, PortAnswer, PortCall } from './server/api/port-call.js'
export type { DeclaredError, ErrorMapping } from './server/outcome/error-body.js'
export { InvalidResultError } from './server/result/checked-result.js'
export type { Pieces } from './server/result/media-result.js'
export { createApiOf } from './server.js'
export type { VersionsShadow } from './shadow/versions-shadow.js'
export { ANONYMOUS, type Hit, type Ledger, OTHERS, type UsageEntry } from './usage/entry.js'
export { jsonLinesLedger, readUsage, type TornLine, usageLines } from './usage/json-lines.js'
export { mergeUsage } from './usage/merge.js'
export type { UsageOptions } from './usage/recorder.js'
export type {
  ShadowChange,
  ShadowChanges,
  ShadowOperation,
  ShadowOptions,
  Sign,
} from './usage/shadow-options.js'
export { readJsonFile } from './values/json-file.js'
export { jsonText } from './values/json-text.js'
export { requestIdOf } from './values/request-id.js'
export {
  createVersions,
  type VersionModule,
  type Versions,
  type VersionsOptions,
} from './versions.js'
