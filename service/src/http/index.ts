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
export { createPartCheck, type PartCheck } from './check-part.ts';
export { CONSOLE_PATHS, installConsole } from './console-files.ts';
export { type CorsRules, installCors } from './cors.ts';
export { installHeadRoutes } from './head-routes.ts';
export { registerHealth } from './health.ts';
export { deleteOldAnswers, requestKeyOf, sendIdempotent } from './idempotency.ts';
export { jsonBytesMax } from './json-bytes.ts';
export { createMetrics, type Metrics, registerMetrics } from './metrics.ts';
export { prefersCsv } from './negotiate.ts';
export { installOpenApi } from './openapi.ts';
export { createOutgoing, type Outgoing, type OutgoingAnswer, OutgoingError, type OutgoingProblem, type OutgoingRequest } from './outgoing.ts';
export { type Counter, checkHits, deleteOldCounters, giveBackHits, limited, type RateLimit, rowOf, takeHit, takeTwoHits } from './rate-limits.ts';
export { installRoles } from './roles.ts';
export { besideSentence, SayingCode, SayingValues } from './sayings.ts';
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
  Timestamp,
  toCappedPage,
  toPage,
  Words,
} from './schemas.ts';
export { createServer, type HttpServer } from './server.ts';
export { registerTerminalFile } from './terminal-file.ts';
export { acceptUpgrade, installUpgrades, isUpgrade } from './upgrades.ts';
export { createItemCheck, validateBodyBy, validateWholly } from './validation.ts';
