/** Names and texts of the operations. */
import { describeOperations } from '../../http/index.ts';
import { BUSY } from '../operations.ts';

export const operations = describeOperations('openid-connect', {
  startLogout: {
    summary: 'Ask the user to sign out',
    description:
      'OpenID Connect RP-Initiated Logout 1.0. Answers a page where the user signs out of the ' +
      'account, or only of the application; without a session in this browser, 302 to ' +
      '`post_logout_redirect_uri`, or to a page that says so.',
    oauthErrors: { 400: ['invalid_request', 'invalid_client'], 500: ['server_error'], 503: BUSY },
  },
  postLogout: {
    summary: 'Ask the user to sign out, by POST',
    description: 'The same by a form: 303 to the GET.',
    oauthErrors: { 400: ['invalid_request'], 413: ['invalid_request'], 415: ['invalid_request'] },
  },
  confirmLogout: {
    summary: 'Sign out',
    description:
      'What the form of the page sends. Ends the session with all its tokens, or notes that ' +
      'the user left the application; then 303 to `post_logout_redirect_uri` or to a page. ' +
      'Every application concerned that has a `backchannel_logout_uri` gets a logout token.',
    oauthErrors: {
      400: ['invalid_request'],
      413: ['invalid_request'],
      415: ['invalid_request'],
      500: ['server_error'],
      503: BUSY,
    },
  },
  showLogout: {
    summary: 'After a logout',
    description: 'The page where a logout ends that leads nowhere else.',
    oauthErrors: { 400: ['invalid_request', 'invalid_client'], 500: ['server_error'], 503: BUSY },
  },
});
