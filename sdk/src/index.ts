/** Typed client of edge-account, for Node.js and browsers. */
export { createBackoff, delay } from './backoff.ts';
export {
  createEdgeClient,
  type EdgeClient,
  type EdgeClientOptions,
  type RequestBody,
  type ResponseBody,
  unwrap,
} from './client.ts';
export {
  beginCodeLogin,
  type CodeLoginRequest,
  finishCodeLogin,
  followCodeLogin,
  type PendingCodeLogin,
  readCallback,
  redeemCode,
} from './code-login.ts';
export { addDecimals, fromMinorUnits, toMinorUnits } from './decimals.ts';
export {
  CLOSE_CODES,
  createDeviceConnection,
  type DeviceConnection,
  type DeviceConnectionOptions,
  type DeviceState,
  endingCodeOf,
  FINAL_CODES,
} from './device-connection.ts';
export { type DeviceLogin, startDeviceLogin } from './device-login.ts';
export type { SocketLike } from './device-socket.ts';
export {
  createDpopKey,
  type DpopKey,
  dpopKeyOf,
  importDpopKey,
  type ProofInput,
  type StoredDpopKey,
} from './dpop.ts';
export { type EdgeEvent, type EventStreamOptions, streamEvents } from './events.ts';
export type { components, paths } from './generated/api.ts';
export {
  exchangeToken,
  type LoginRequest,
  type OAuthOptions,
  refreshTokens,
  requestClientTokens,
  revokeToken,
  type TokenSet,
} from './oauth.ts';
export { EdgeError, type FieldProblem, type ProblemDocument, readProblem } from './problem.ts';
export { type DeviceForm, registerDevice } from './register-device.ts';
export type { Send } from './request-sender.ts';
export { createServerClock, type ServerClock } from './server-clock.ts';
export {
  createTokenSource,
  fixedToken,
  type TokenSource,
  type TokenStore,
} from './token-source.ts';
