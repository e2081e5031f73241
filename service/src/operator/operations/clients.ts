/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-clients', {
  listClients: {
    summary: 'OAuth clients',
    description: 'All registered applications, business servers and relays, without their secrets.',
  },
  createClient: {
    summary: 'Register an OAuth client',
    description:
      "A client can get no operator's scope that the caller lacks, and one that has such a " +
      'scope cannot be changed.',
    failures: ['client_exists'],
  },
  getClient: {
    summary: 'One OAuth client',
    description: 'The client without its secret.',
    failures: ['not_found'],
  },
  updateClient: {
    summary: 'Change an OAuth client',
    description:
      'Disabling it, or removing scopes, revokes its tokens. Grants keep the scopes that ' +
      "remain, and end when the client is disabled. A client can get no operator's scope that " +
      "the caller lacks, and one that has such a scope cannot be changed. The console's own " +
      'client cannot be changed here.',
    failures: ['not_found', 'own_client'],
  },
  deleteClient: {
    summary: 'Remove a client and revoke its tokens',
    description:
      'Its tokens are refused at once, and the consents of people end. Where these are many, a ' +
      "job deletes them, and the id stays taken until then. The service's own client cannot be " +
      'removed.',
    failures: ['not_found', 'own_client'],
  },
  createRegistrationToken: {
    summary: 'Issue an initial access token',
    description:
      'Its holder registers clients at `POST /oauth2/register` (RFC 7591) until the uses or the ' +
      'time are up. Such clients are not first-party, and have no operator scopes.',
  },
  listUpstreamProviders: {
    summary: 'OpenID providers of others',
    description: 'The providers at which users can sign in, by id, without their secrets.',
  },
  putUpstreamProvider: {
    summary: 'Set up an OpenID provider of others',
    description:
      'Users can then sign in with its accounts, and link them. The provider must know the ' +
      'redirect URI `/sign-in/upstream/{id}` of this service. Its metadata is read at once. ' +
      'Linked accounts belong to the issuer: they count again for one that is set up again.',
    failures: ['not_found', 'upstream_unreachable'],
  },
  deleteUpstreamProvider: {
    summary: 'Remove an OpenID provider of others',
    description:
      'No user can sign in with it any more; its linked accounts stay. Users without a password ' +
      'set one by a reset.',
    failures: ['not_found'],
  },
  listResourceServers: {
    summary: 'APIs that take access tokens',
    description: 'The resource servers of the operator with their scopes, by id.',
  },
  putResourceServer: {
    summary: 'Set up an API that takes access tokens',
    description:
      'Clients can then be given its scopes, and request tokens for it by `resource` (RFC 8707). ' +
      'Such a token has its `audience` as `aud`, `token_use` `api` (`api_client` for a client in ' +
      'its own name) and no scope of this service, which refuses it. The API verifies it with ' +
      'the keys of `/.well-known/jwks.json`, or introspects it as a first-party client.',
    failures: ['not_found'],
  },
  deleteResourceServer: {
    summary: 'Remove an API that takes access tokens',
    description: 'Not while a client has one of its scopes. Disable it to stop it at once.',
    failures: ['not_found'],
  },
  replaceClientSecret: {
    summary: 'Give a client a new secret',
    description:
      "The old one ends at once. A client can get no operator's scope that the caller lacks, " +
      'and one that has such a scope cannot be changed.',
    failures: ['not_found', 'public_client'],
  },
});
