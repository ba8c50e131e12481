export type { Pieces } from './core/answer.js'
export type {
  Api,
  ApiOptions,
  AuthenticationCall,
  Call,
  CallEvent,
  CallOptions,
  CallRequest,
  Context,
  Credentials,
  ErrorTypes,
  Fallback,
  FetchInfo,
  Limits,
  OperationTypeMap,
  ProblemMembers,
  Protocol,
} from './core/api.js'
export { type Binary, decodeBinaries } from './core/binaries.js'
export {
  type BuiltInErrorCode,
  builtInErrors,
  type ErrorCatalogue,
  type ErrorDefinition,
} from './core/catalogue.js'
export { InvalidResultError } from './core/checked-result.js'
export type { Contract, OperationValidators, Route, Validator, ValidatorError } from './core/contract.js'
export type { DeclaredError, ErrorMapping } from './core/error-body.js'
export type { HttpRequest } from './core/http-request.js'
export { exactInt64, nativeInt64 } from './core/int64.js'
export { readJsonFile } from './core/json-file.js'
export { jsonText } from './core/json-text.js'
export { jsonLogger, type LogDetails, type Logger } from './core/logger.js'
export type {
  AnswerMedia,
  BinaryGraph,
  BinaryNode,
  BodyBinding,
  BodyMedia,
  Coercion,
  DatetimeGraph,
  DatetimeNode,
  FailureBinding,
  HeaderBinding,
  Int64Graph,
  Int64Node,
  Int64Positions,
  JsonType,
  Method,
  Operation,
  ParameterBinding,
  PositionNode,
  RestBinding,
  SecurityRequirement,
  SecurityScheme,
} from './core/operation.js'
export { pieceText } from './core/piece.js'
export {
  type Problem,
  ProblemError,
  type ProblemErrorOptions,
  toProblem,
  type Violation,
} from './core/problem.js'
export type { Reply } from './core/reply.js'
export { requestIdOf } from './core/request-id.js'
export type { WorkMeter } from './core/work.js'
export { keepRawBody } from './http/body.js'
export { hasTooManyFields, tooManyFields } from './http/fields.js'
export { beginAnswer, closeGently, endConnection, endGently, isBehindLast } from './http/last-answer.js'
export { pathOf } from './http/target.js'
export { isOver } from './http/unread.js'
export { createApiOf } from './server.js'
