/** Typed client of edge-account, for Node.js and browsers. */
export { createBackoff, delay } from './backoff.ts';
export { bodyOf, createEdgeClient, type EdgeClient, type EdgeClientOptions } from './client.ts';
export { addDecimals, fromMinorUnits, toMinorUnits } from './decimals.ts';
export {
  CLOSE_CODES,
  createDeviceConnection,
  type DeviceConnection,
  type DeviceConnectionOptions,
  type DeviceState,
  FINAL_CODES,
  type SocketLike,
} from './device-connection.ts';
export {
  createDpopKey,
  createServerClock,
  type DpopKey,
  dpopKeyOf,
  importDpopKey,
  type ProofInput,
  type ServerClock,
  type StoredDpopKey,
} from './dpop.ts';
export { type EdgeEvent, type EventStreamOptions, streamEvents } from './events.ts';
export type { components, paths } from './generated/api.ts';
export {
  beginCodeLogin,
  type DeviceLogin,
  exchangeToken,
  finishCodeLogin,
  type LoginRequest,
  type OAuthOptions,
  type PendingCodeLogin,
  refreshTokens,
  requestClientTokens,
  revokeToken,
  startDeviceLogin,
  type TokenSet,
} from './oauth.ts';
export { EdgeError, type ProblemDocument, readProblem } from './problem.ts';
export { type DeviceForm, registerDevice } from './register-device.ts';
export {
  createTokenSource,
  fixedToken,
  type TokenSource,
  type TokenStore,
} from './token-source.ts';
