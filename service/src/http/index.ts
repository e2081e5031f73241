/** The HTTP door. */
export {
  type Access,
  type Authenticator,
  CONSOLE_CLIENT_ID,
  callerOf,
  callingUserId,
  installGuard,
  type PresentedToken,
  type Principal,
  type TokenUse,
} from './auth-guard.ts';
export { CONSOLE_PATHS, installConsole } from './console-files.ts';
export { prefersCsv } from './content-negotiation.ts';
export { type CorsRules, installCors } from './cors.ts';
export { installHeadRoutes } from './head-routes.ts';
export { registerHealth } from './health.ts';
export { deleteOldAnswers, requestKeyOf, sendIdempotent } from './idempotency.ts';
export { createPartCheck, type PartCheck } from './item-validator.ts';
export { jsonBytesMax } from './max-body-size.ts';
export {
  messageFields as besideSentence,
  SayingCode,
  SayingValues,
} from './message-code-fields.ts';
export { createMetrics, type Metrics, registerMetrics } from './metrics.ts';
export { installOpenApi } from './openapi.ts';
export {
  createOutgoing,
  type Outgoing,
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingProblem,
  type OutgoingRequest,
} from './outbound-client.ts';
export { installRoles } from './process-roles.ts';
export {
  assertWithinRateLimit as checkHits,
  type Counter,
  consumeRateLimit as takeHit,
  consumeTwoRateLimits as takeTwoHits,
  deleteOldCounters,
  limited,
  type RateLimit,
  refundRateLimit as giveBackHits,
  rowOf,
} from './rate-limits.ts';
export {
  CappedPage,
  Day,
  Decimal,
  DecimalInput,
  Id,
  IdempotencyHeaders,
  Page,
  PageParameters,
  PageQuery,
  StringEnum as Words,
  Timestamp,
  toCappedPage,
  toPage,
} from './schemas.ts';
export { createServer, type HttpServer } from './server.ts';
export { registerTerminalFile } from './terminal-download.ts';
export { createItemCheck, validateBodyBy, validateWholly } from './validation.ts';
export { acceptUpgrade, installUpgrades, isUpgrade } from './websocket-upgrades.ts';
