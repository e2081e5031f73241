/** Sessions, and the feed of what happens to their tokens. */
export { createSession } from './create-session.ts';
export {
  endAllSessions,
  endSession,
  revokeAllTokens,
} from './end-session.ts';
export { findSignIn, readSignIn, type SignIn, type SignInRow } from './find-sign-in.ts';
export { findSession, listSessions } from './queries.ts';
export { readOperatorGrants } from './read-operator-grants.ts';
export { createLifetimeRecorder } from './record-token-lifetime.ts';
export { renumberRevocations } from './renumber-revocations.ts';
export { createTokenState, type TokenState } from './revocation-cache.ts';
export { describeRevocation, tokenRevoked } from './revocation-messages.ts';
export {
  LONGEST_TOKEN_MS,
  type RevokeInput,
  revoke,
  TOKEN_REVOCATIONS,
} from './revoke.ts';
export { setOperatorGrants } from './set-operator-grants.ts';
export type { LoginIdentity, LoginTokens, Revocation, Session } from './types.ts';
