/** The OpenID provider's door. */

export {
  type Client,
  type ClientChanges,
  type CreatedClient,
  createClient,
  createFirstOperator,
  deleteClient,
  findClient,
  GRANT_TYPES,
  type GrantType,
  listClients,
  listClientsPage,
  type NewClient,
  rotateClientSecret,
  updateClient,
  writeSecretFile,
} from './clients/index.ts';
export { createOidc, keyPolicyOf, type Oidc } from './create-oidc.ts';
export { createAuthenticator } from './guard/authenticator.ts';
export { createKeyRing, dropKey, type KeyPolicy, type KeyRing, listKeys, maintainKeys, rotateKeys } from './keys/index.ts';
export { createTokenIssuer, type TokenIssuer } from './tokens/issue-login-tokens.ts';
export { BUSINESS_SCOPES, DEVICE_SCOPES, OPERATOR_SCOPES, SCOPES } from './tokens/scopes.ts';
export { createSignToken, type SignedToken, type SignToken, type TokenClaims } from './tokens/sign-token.ts';
export { grantTimeOf } from './tokens/token-id.ts';
