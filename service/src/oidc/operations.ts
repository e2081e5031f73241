/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

export const BUSY = ['temporarily_unavailable'];
const CLIENT_ERRORS = {
  400: ['invalid_request'],
  401: ['invalid_client'],
  413: ['invalid_request'],
  415: ['invalid_request'],
  429: BUSY,
  500: ['server_error'],
  503: BUSY,
};

export const operations = {
  ...describeOperations('openid-connect', {
    listSigningKeys: {
      summary: 'Public keys that verify tokens',
      description:
        'Holds the next key at least 24 h before it signs, and retired ones until their last ' +
        'token has expired.',
    },
    getUserInfo: {
      summary: 'Who the person is',
      description:
        'Claims about the person whose token is presented (OpenID Connect Core 5.3). `email`, ' +
        '`nickname`, `groups` and `roles` need their scopes.',
    },
    postUserInfo: {
      summary: 'Who the person is',
      description:
        'The same as the GET, for clients that post (OpenID Connect Core 5.3.1). The token ' +
        'stands in the Authorization header, or in the form as `access_token`; not in both. One ' +
        'that is bound to a key (DPoP) stands in the header only.',
    },
    getDeviceRequest: {
      summary: 'The device that waits under a code',
      description:
        'What the page that approves devices shows before the person decides: the client, what ' +
        'it requests, and how long the code stays valid. Each wrong code counts against the ' +
        "caller's limit.",
      failures: ['user_code_unknown', 'rate_limited'],
    },
    decideDeviceRequest: {
      summary: 'Allow or deny a device',
      description:
        'The device, which polls the token endpoint, gets its tokens or `access_denied`.',
      failures: ['user_code_unknown', 'rate_limited'],
    },
    getConsent: {
      summary: 'What an application requests',
      description:
        'The client, its scopes, and whether the person must sign in again, for the ' +
        'authorization page.',
      failures: ['interaction_expired'],
    },
    decideConsent: {
      summary: 'Allow or deny an authorization request',
      description:
        'Answers the URL to continue at, in the browser that started the request: the client ' +
        'gets a one-time code, or `access_denied`.',
      failures: [
        'interaction_expired',
        'reauthentication_required',
        'unmet_authentication_requirements',
      ],
    },
    getLogo: {
      summary: 'The logo of an application',
      description:
        'The image as it was fetched when the application was registered or changed. It never ' +
        'changes under this address.',
      failures: ['not_found'],
    },
    getAuthorizationState: {
      summary: 'Whether a request still waits for a user',
      description:
        'For the authorization page before a sign-in: reveals neither the client nor what it ' +
        'requests.',
    },
    startAuthorization: {
      summary: 'Start an authorization',
      description:
        'OpenID Connect authorization request: `response_type=code`, `client_id`, ' +
        '`redirect_uri`, PKCE with `code_challenge_method=S256` (required, unless the ' +
        'client is registered without and sends `nonce`). Answers 302 to the ' +
        'authorization page with `interaction_id`, or, if the user need not be asked, to the ' +
        'client with a code.',
      oauthErrors: { 400: ['invalid_request', 'invalid_client'], 500: ['server_error'], 503: BUSY },
    },
    exchangeToken: {
      summary: 'Exchange an access token, or start an authorization by POST',
      description:
        'JSON `{access_token, client_id, node_id?, scope?}` exchanges the access token of a ' +
        'login for a device token and answers like the token endpoint; a confidential client ' +
        'authenticates. A form with `response_type` is an OpenID Connect authorization request ' +
        'and is answered 302 to the same GET. Anything else is 400.',
      oauthErrors: {
        400: [
          'invalid_request',
          'invalid_grant',
          'unauthorized_client',
          'invalid_scope',
          'invalid_target',
        ],
        401: ['invalid_client'],
        413: ['invalid_request'],
        429: BUSY,
        500: ['server_error'],
        503: BUSY,
      },
    },
    resumeAuthorization: {
      summary: 'Continue after consent',
      description:
        'The address of `redirect_to` of the consent: needs its ticket, which is accepted once, ' +
        'and the cookie of the browser that started the request. Ends at the client with a code ' +
        'or an error.',
      oauthErrors: { 400: ['invalid_request'], 500: ['server_error'], 503: BUSY },
    },
    pushAuthorization: {
      summary: 'Push an authorization request (RFC 9126)',
      description:
        'Takes what `GET /oauth2/authorize` takes, from the client itself, and answers a ' +
        '`request_uri` for it that serves once within a minute.',
      oauthErrors: {
        ...CLIENT_ERRORS,
        400: [
          'invalid_request',
          'invalid_request_object',
          'unauthorized_client',
          'unsupported_response_type',
          'unsupported_response_mode',
          'invalid_scope',
          'invalid_target',
        ],
      },
    },
    createToken: {
      summary: 'Get tokens',
      description:
        'Grants: `authorization_code` (with `code_verifier`; `authorization_code` is an alias of ' +
        '`code`), `refresh_token`, `client_credentials`, ' +
        '`urn:ietf:params:oauth:grant-type:device_code`, ' +
        '`urn:ietf:params:oauth:grant-type:token-exchange`. Answers `access_token`, the same as ' +
        '`device_token`, `token_type`, `expires_in`, `scope`, and, if requested, `id_token` and ' +
        '`refresh_token`.',
      oauthErrors: {
        ...CLIENT_ERRORS,
        400: [
          'invalid_request',
          'invalid_grant',
          'unauthorized_client',
          'unsupported_grant_type',
          'invalid_scope',
          'invalid_target',
          'invalid_dpop_proof',
          'authorization_pending',
          'slow_down',
          'expired_token',
          'access_denied',
        ],
      },
    },
    revokeToken: {
      summary: 'Revoke a token (RFC 7009)',
      description:
        "The client's own access, device or refresh token; a refresh token revokes its family.",
      oauthErrors: { ...CLIENT_ERRORS, 400: ['invalid_request', 'unsupported_token_type'] },
    },
    introspectToken: {
      summary: 'Introspect a token (RFC 7662)',
      description:
        'Whether a token is active, and its claims. Public clients can introspect their own ' +
        'tokens only.',
      oauthErrors: CLIENT_ERRORS,
    },
    startDeviceAuthorization: {
      summary: 'Start a device flow (RFC 8628)',
      description:
        'Answers `device_code`, `user_code`, `verification_uri`, `verification_uri_complete`, ' +
        '`expires_in`; poll every 5 s. An earlier poll is answered `slow_down`, and the interval ' +
        'is 5 s longer from then on.',
      oauthErrors: {
        ...CLIENT_ERRORS,
        400: ['invalid_request', 'unauthorized_client', 'invalid_scope'],
      },
    },
    getOpenIdConfiguration: {
      summary: 'Discovery',
      description: 'Issuer, endpoints, supported algorithms and claims.',
      oauthErrors: { 400: ['invalid_request'], 503: BUSY },
    },
    getAuthorizationServerMetadata: {
      summary: 'Discovery',
      description: 'Issuer, endpoints, supported algorithms and claims.',
      oauthErrors: { 400: ['invalid_request'], 503: BUSY },
    },
  }),
  ...describeOperations('account', {
    listConnections: {
      summary: 'Connected applications',
      description:
        'The applications that the person has allowed, with their scopes and when that was.',
    },
    deleteConnection: {
      summary: 'Revoke an application',
      description:
        'Deletes the consent and revokes every token that the application has for the user.',
      failures: ['not_found'],
    },
  }),
};
