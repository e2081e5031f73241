/** Names and texts of the operations. */
import { describeOperations } from '../../http/index.ts';
import { BUSY } from '../operations.ts';

export const operations = describeOperations('openid-connect', {
  registerClient: {
    summary: 'Register a client (RFC 7591)',
    description:
      'For the holder of an initial access token of the operator, in the Authorization header ' +
      'as Bearer. Changes are made by the operator.',
    oauthErrors: {
      400: ['invalid_client_metadata', 'invalid_redirect_uri', 'invalid_request'],
      401: ['invalid_token'],
      413: ['invalid_request'],
      415: ['invalid_request'],
      429: BUSY,
      500: ['server_error'],
      503: BUSY,
    },
  },
});
