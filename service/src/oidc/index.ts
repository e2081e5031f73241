/** The OpenID provider's door. */

export {
  authMethodOf,
  CLIENT_METADATA,
  type Client,
  type ClientChanges,
  type ClientMetadata,
  checkMetadataUrls,
  createClient,
  createConsoleClient,
  createDeviceClients,
  createFirstOperator,
  deleteClient,
  findClient,
  GRANT_TYPES,
  type GrantType,
  listClients,
  listClientsPage,
  pickMetadata,
  rotateClientSecret,
  updateClient,
  writeSecretFile,
} from './clients/index.ts';
export { findGrantedCategories } from './consent/categories.ts';
export { createOidc, keyPolicyOf, type Oidc } from './create-oidc.ts';
export {
  dropKey,
  KeyRing,
  listKeys,
  maintainKeys,
  measureKeyAges,
  rotateKeys,
} from './keys/index.ts';
export { readNamedLogo } from './logos/fetch-logo.ts';
export { registerLogoutMetrics } from './logout/deliver-logouts.ts';
export { endGrant, OIDC_RETENTION } from './provider/object-store.ts';
export {
  issueInitialAccessToken,
  REGISTRABLE_SCOPES,
} from './registration/initial-access-tokens.ts';
export {
  deleteResourceServer,
  putResourceServer,
  SCOPE_NAME,
  SCOPE_NAME_MAX,
} from './resource-servers/put-resource-server.ts';
export { listResourceServers, type ResourceServer } from './resource-servers/resource-server.ts';
export { createTokenIssuer } from './tokens/issue-login-tokens.ts';
export {
  BUSINESS_SCOPES,
  DEVICE_SCOPES,
  OPERATOR_SCOPE_TEXTS,
  OPERATOR_SCOPES,
  SCOPES,
} from './tokens/scopes.ts';
export { createSignToken, type SignToken } from './tokens/sign-token.ts';
export { grantTimeOf } from './tokens/token-id.ts';
