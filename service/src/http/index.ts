/** The HTTP door. */
export { installAudit } from './audit.ts';
export {
  type Authenticator,
  CONSOLE_CLIENT_ID,
  callingUserId,
  getCaller,
  installGuard,
  type PresentedToken,
  type Principal,
  type TokenUse,
} from './auth-guard.ts';
export { installConsole } from './console-files.ts';
export { CONSOLE_PATHS, UPSTREAM_CALLBACK_PATH } from './console-paths.ts';
export { prefersCsv } from './content-negotiation.ts';
export { type CorsRules, installCors } from './cors.ts';
export {
  entityTagOf,
  IfMatchHeaders,
  isExpected,
  isKnown,
  TaggedAnswer,
} from './entity-tags.ts';
export { linkExtensionStore, registerExtensionFile } from './extension-download.ts';
export { installHeadRoutes } from './head-routes.ts';
export { registerHealth } from './health.ts';
export { type HtmlPage, htmlPage } from './html-page.ts';
export {
  IDEMPOTENCY_RETENTION,
  readIdempotencyKey,
  readRequestKey,
  sendIdempotent,
} from './idempotency.ts';
export { jsonBytesMax } from './max-body-size.ts';
export { MessageCode, MessageValues, messageFields } from './message-code-fields.ts';
export { createMetrics, type Metrics, registerMetrics } from './metrics.ts';
export { describeOperations, type OperationSchema } from './openapi/describe-operations.ts';
export { installOpenApi } from './openapi/install-openapi.ts';
export {
  grantsOf,
  OPERATOR_ROLES,
  scopesOfGrants,
  splitGrants,
  toGrant,
} from './operator-roles.ts';
export {
  createOutgoing,
  type Outgoing,
  OutgoingError,
  type OutgoingProblem,
} from './outbound-client.ts';
export { createOutgoingFetch } from './outgoing-fetch.ts';
export { escapeHtml, type PageLook } from './page-look.ts';
export { INTEGER_ID, parsePathId } from './parse-path-id.ts';
export { installRoles } from './process-roles.ts';
export {
  assertWithinRateLimit,
  type Counter,
  consumeRateLimit,
  consumeTwoRateLimits,
  RATE_LIMIT_RETENTION,
  type RateLimit,
  rateLimitError,
  refundRateLimit,
  toCounterRow,
} from './rate-limits.ts';
export { installReads, streamOf } from './read-source.ts';
export { toOriginForm } from './request-target.ts';
export {
  CappedPage,
  Day,
  Decimal,
  DecimalInput,
  Flag,
  Id,
  IdempotencyHeaders,
  OptionalBody,
  Page,
  PageParameters,
  PageQuery,
  PathId,
  StringEnum,
  TextAnswer,
  Timestamp,
  toCappedPage,
  toPage,
} from './schemas.ts';
export { createServer } from './server.ts';
export { registerTerminalFile } from './terminal-download.ts';
export type { HttpServer } from './types.ts';
export {
  createErrorFinder,
  createItemValidator,
  validateBodyBy,
  validateWholly,
} from './validation.ts';
export { acceptUpgrade, installUpgrades, isUpgrade } from './websocket-upgrades.ts';
