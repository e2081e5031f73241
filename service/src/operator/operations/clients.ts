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
      "Its tokens are refused at once, and the consents of people end. The service's own " +
      'client cannot be removed.',
    failures: ['not_found', 'own_client'],
  },
  createRegistrationToken: {
    summary: 'Issue an initial access token',
    description:
      'Its holder registers clients at `POST /oauth2/register` (RFC 7591) until the uses or the ' +
      'time are up. Such clients are not first-party, and have no operator scopes.',
  },
  replaceClientSecret: {
    summary: 'Give a client a new secret',
    description:
      "The old one ends at once. A client can get no operator's scope that the caller lacks, " +
      'and one that has such a scope cannot be changed.',
    failures: ['not_found', 'public_client'],
  },
});
