/** The identity domain's door. */
export { assignGroups, GROUP_NAME } from './account/assign-groups.ts';
export { disableUser, enableUser, type StatusChange } from './account/disable-user.ts';
export {
  hasStrongSecondFactor,
  notifyOwner,
  requireStepUp,
  type StepUp,
  type StepUpDeps,
} from './account/require-step-up.ts';
export { SecurityEventVO } from './account/schemas.ts';
export { listActive, listOperators } from './active-users.ts';
export { readOrigin } from './browser-cookie.ts';
export { isPlainName } from './build-mails.ts';
export type { IdentityDeps } from './context.ts';
export { maskEmail, readEmail } from './emails.ts';
export {
  destroyPersonKey,
  installPersonKeys,
  lockDueErasures,
  openOfUser,
  openOfUsers,
  sealForKnownUser,
  sealForUser,
} from './erasure/person-keys.ts';
export {
  createPasswordImport,
  type ImportedPassword,
  type PasswordImport,
  type PasswordInput,
} from './imported-passwords.ts';
export { findClosedUsers, findKnownUsers, findNicknames, findUser, listUsers } from './queries.ts';
export {
  type ImportedUser,
  importUsers,
  releaseNames,
  reserveUserIds,
  updateImportedUsers,
  withFastInserts,
} from './register/import-users.ts';
export { NICKNAME_LIMITS } from './register/start-registration.ts';
export { IDENTITY_RETENTION } from './retention.ts';
export { registerIdentity } from './routes.ts';
export { PasskeyAssertion, PasskeyOptions } from './schemas.ts';
export { listMethods } from './second-factors/available-methods.ts';
export { isMoneyFrozen } from './second-factors/read-second-factors.ts';
export { changedFactorsLately, wasResetLately } from './second-factors/recent-changes.ts';
export {
  createApprovalOptions,
  findPasskeyUsers,
  listApproverKeys,
  verifyApproval,
} from './second-factors/verify-approval.ts';
export { listSecurityEvents, logSecurityEvent } from './security-log.ts';
export {
  createLifetimeRecorder,
  createSession,
  createTokenState,
  describeRevocation,
  endAllSessions,
  endSession,
  findSession,
  findSignIn,
  LONGEST_TOKEN_MS,
  type LoginIdentity,
  type LoginTokens,
  type Revocation,
  type RevokeInput,
  readOperatorGrants,
  readSignIn,
  renumberRevocations,
  revoke,
  revokeAllTokens,
  type SignIn,
  type SignInRow,
  setOperatorGrants,
  TOKEN_REVOCATIONS,
  type TokenState,
  tokenRevoked,
} from './sessions/index.ts';
export { endUserSessions, listUserSessions } from './support/end-user-sessions.ts';
export {
  freezeUserMoney,
  readMoneyFreeze,
  releaseUserMoney,
} from './support/freeze-user-money.ts';
export { resetSecondFactors } from './support/reset-second-factors.ts';
export { addUserNote, listUserNotes, type UserNote } from './support/user-notes.ts';
export type { RequestOrigin, TokenIssuer, User } from './types.ts';
export { signAppleSecret } from './upstream/apple-secret.ts';
export { type ConnectionDeps, createUpstreamConnections } from './upstream/connect-provider.ts';
export {
  deleteProvider,
  findProvider,
  listProviders,
  type ProviderSettings,
  putProvider,
  type ResponseMode,
  type UpstreamProvider,
} from './upstream/provider-store.ts';
