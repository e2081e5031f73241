/** OAuth clients: registry, changes, built-in clients. */
export {
  applicationTypeOf,
  canReceiveCodeAt,
  isNativeRedirect,
  isOwnAddress,
} from './check-client.ts';
export { checkMetadataUrls } from './check-metadata.ts';
export { type ClientRegistry, createClientRegistry } from './client-registry.ts';
export { createDeviceClients } from './create-device-clients.ts';
export { CLIENT_METADATA, type ClientMetadata, pickMetadata } from './metadata.ts';
export { findClient, listClients, listClientsPage } from './queries.ts';
export { createClientRemoval, deleteClient } from './remove-clients.ts';
export { createConsoleClient, createFirstOperator, writeSecretFile } from './seed-clients.ts';
export { authMethodOf, type Client, GRANT_TYPES, type GrantType, TOKEN_EXCHANGE } from './types.ts';
export {
  type ClientChanges,
  createClient,
  rotateClientSecret,
  updateClient,
} from './write-clients.ts';
