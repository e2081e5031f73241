/** The identity domain's door. */
export { disableUser, enableUser, type StatusChange } from './account/disable-user.ts';
export { originOf } from './browser-cookie.ts';
export type { IdentityDeps } from './context.ts';
export { maskEmail } from './emails.ts';
export { findKnownUsers, findUser, listUsers } from './queries.ts';
export { registerIdentity } from './routes.ts';
export { listMethods } from './second-factors/available-methods.ts';
export { isMoneyFrozen } from './second-factors/read-second-factors.ts';
export { logSecurityEvent } from './security-log.ts';
export {
  type BindInput,
  bindToken,
  createSession,
  createTokenState,
  deleteOldTokenChanges,
  endAllSessions,
  endEverything,
  endSession,
  findSession,
  findSignIn,
  holdPerson,
  type LoginIdentity,
  type LoginTokens,
  type Revocation,
  type RevokeInput,
  readSignIn,
  revoke,
  type SignIn,
  type SignInRow,
  sayRevocation,
  setOperatorScopes,
  type TokenState,
  tokenRevoked,
} from './sessions/index.ts';
export type { Origin, TokenIssuer, User } from './types.ts';
