/**
 * What the protocol's endpoints take, for the OpenAPI document. The provider checks it, not these
 * schemas: its refusals have the shape of RFC 6749.
 */
import Type, { type TObject, type TSchema } from 'typebox';
import { OptionalBody, StringEnum } from '../../http/index.ts';
import { GRANT_TYPES } from '../clients/index.ts';

const Text = (description: string) => Type.String({ description });
const Maybe = (description: string) => Type.Optional(Text(description));

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** A client that can keep a secret may send it in the body, or by HTTP Basic. */
const CLIENT = {
  client_id: Maybe('The client; may come by HTTP Basic instead.'),
  client_secret: Maybe('Of a confidential client; may come by HTTP Basic instead.'),
  client_assertion: Maybe('Instead of a secret: a JWT that the client signed (RFC 7523).'),
  client_assertion_type: Maybe(
    'With `client_assertion`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.',
  ),
};

const TokenRequest = Type.Object({
  grant_type: Type.Optional(
    StringEnum(
      GRANT_TYPES,
      'What is exchanged for tokens; may be left out with `authorization_code`.',
    ),
  ),
  ...CLIENT,
  code: Maybe('Grant `authorization_code`: the one-time code.'),
  authorization_code: Maybe('Another name of `code`; one of the two is sent.'),
  redirect_uri: Maybe('Grant `authorization_code`: as in the authorization request.'),
  code_verifier: Maybe('Grant `authorization_code`: what the PKCE challenge was made of.'),
  refresh_token: Maybe('Grant `refresh_token`: the newest of its family.'),
  device_code: Maybe('Device flow: as the device got it.'),
  scope: Maybe('Narrows what is granted; names with spaces between. Not with a code.'),
  subject_token: Maybe('Token exchange: the access token of a login.'),
  subject_token_type: Maybe(
    'Token exchange: `urn:ietf:params:oauth:token-type:access_token`, or `…:jwt`.',
  ),
  requested_token_type: Maybe('Token exchange: the same, if given.'),
  audience: Maybe('Token exchange: the issuer, if given.'),
  resource: Maybe('Token exchange: the issuer, if given.'),
  node_id: Maybe('Token exchange: binds the token to this node.'),
});

const PresentedToken = Type.Object({
  token: Text('An access, device or refresh token.'),
  token_type_hint: Maybe('`access_token` or `refresh_token`; a hint only.'),
  ...CLIENT,
});

const DeviceAuthorizationRequest = Type.Object({
  ...CLIENT,
  scope: Maybe('What the device asks for; names with spaces between.'),
});

const AuthorizationRequest = Type.Object({
  response_type: Type.Literal('code', { description: 'The only one.' }),
  client_id: Text('The client.'),
  redirect_uri: Text('One that is registered, exactly; on loopback the port may differ.'),
  code_challenge: Maybe(
    'PKCE: base64url of the SHA-256 of the verifier. Required, unless the client is registered ' +
      'without and sends `nonce`.',
  ),
  code_challenge_method: Type.Optional(
    Type.Literal('S256', { description: 'The only one; required with `code_challenge`.' }),
  ),
  scope: Maybe(
    'Names with spaces between; `openid` for an ID token, `offline_access` for a refresh token.',
  ),
  state: Maybe('Comes back as it is.'),
  nonce: Maybe('Stands in the ID token.'),
  prompt: Maybe('`none`, or some of `login`, `consent`, `select_account`, `create`.'),
  max_age: Maybe('Seconds that the sign-in may be old.'),
  acr_values: Maybe('Strengths of the sign-in, preferred first; see `acr_values_supported`.'),
  claims: Maybe('JSON (OpenID Connect Core 5.5): `acr`, `sub`, or claims by way of their scopes.'),
  id_token_hint: Maybe('An ID token of the user who has to answer.'),
  login_hint: Maybe('The address that the sign-in page begins with.'),
  ui_locales: Maybe('Languages for the page, preferred first.'),
  response_mode: Maybe('`query`, the default, or `form_post`.'),
  request: Maybe('A signed request (RFC 9101) of a client that has registered keys.'),
  request_uri: Maybe('What the pushed request was answered (RFC 9126).'),
  resource: Maybe('The issuer, if given.'),
  dpop_jkt: Maybe('Thumbprint of the key that the code is bound to (RFC 9449).'),
});

const PushedRequest = Type.Object({ ...CLIENT, ...Type.Partial(AuthorizationRequest).properties });

const LogoutRequest = Type.Object({
  id_token_hint: Maybe('An ID token of the application; its expiry is not checked.'),
  client_id: Maybe('The application, where no ID token names it.'),
  post_logout_redirect_uri: Maybe('Where the browser goes afterwards; registered, exactly.'),
  state: Maybe('Comes back with the redirect.'),
  logout_hint: Maybe('Ignored.'),
  ui_locales: Maybe('Languages for the page, preferred first.'),
});

const LogoutDecision = Type.Object({
  xsrf: Text('As the form of the page contains it.'),
  logout: Maybe('Present: ends the whole session; else only that of the application.'),
});

const ExchangeRequest = Type.Object(
  {
    access_token: Text('The access token of a login.'),
    client_id: Text('A client that is registered for token exchange.'),
    client_secret: Maybe('Of a confidential client.'),
    node_id: Maybe('Binds the token to this node.'),
    scope: Maybe('Narrows what the token may do.'),
  },
  { additionalProperties: false },
);

const UserInfoRequest = OptionalBody({
  access_token: Maybe('The token, where no Authorization header can be sent (RFC 6750 2.2).'),
});

const content = (schemas: Readonly<Record<string, TSchema>>) => ({
  body: {
    content: Object.fromEntries(
      Object.entries(schemas).map(([type, schema]) => [type, { schema }]),
    ),
  },
});
const formOrJson = (schema: TObject) => content({ [FORM]: schema, [JSON_TYPE]: schema });

/** By endpoint; as `describe` takes it. */
export const REQUESTS = {
  authorization: { querystring: AuthorizationRequest },
  postedAuthorization: content({ [JSON_TYPE]: ExchangeRequest, [FORM]: AuthorizationRequest }),
  token: formOrJson(TokenRequest),
  presentedToken: formOrJson(PresentedToken),
  deviceAuthorization: formOrJson(DeviceAuthorizationRequest),
  userInfo: content({ [FORM]: UserInfoRequest }),
  logout: { querystring: LogoutRequest },
  postedLogout: content({ [FORM]: LogoutRequest }),
  logoutDecision: content({ [FORM]: LogoutDecision }),
  pushedAuthorization: formOrJson(PushedRequest),
  resume: {
    params: Type.Object({ interaction_id: Text('As the authorization page got it.') }),
    querystring: Type.Object({ ticket: Maybe('The one-time secret of the decision.') }),
  },
} as const;
