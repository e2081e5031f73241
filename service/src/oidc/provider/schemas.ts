/** What the protocol's endpoints answer, for the OpenAPI document. */
import Type from 'typebox';
import { TextAnswer } from '../../http/index.ts';

const Text = (description: string) => Type.String({ description });
const Maybe = (description: string) => Type.Optional(Text(description));

export const TokenAnswer = Type.Object(
  {
    access_token: Text('The token, a JWT (RFC 9068).'),
    device_token: Maybe(
      'The same token under the name of the contract; absent for client credentials.',
    ),
    token_type: Text('`Bearer`, or `DPoP` for a token bound to a key.'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    scope: Maybe('What was granted.'),
    id_token: Maybe('With the scope `openid`.'),
    refresh_token: Maybe('With the scope `offline_access`.'),
    issued_token_type: Maybe('Of a token exchange.'),
  },
  {
    description:
      'Tokens; absent members are left out, never null. Errors have the shape of RFC 6749.',
  },
);

export const DeviceAuthorization = Type.Object({
  device_code: Text('For the device, to poll the token endpoint with.'),
  user_code: Text('For the person to type.'),
  verification_uri: Text('Where the person types it.'),
  verification_uri_complete: Text('The same with the code filled in.'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  interval: Type.Integer({ description: 'Seconds to wait between polls.' }),
});

export const PushedAuthorization = Type.Object({
  request_uri: Text('For the authorization request, once.'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
});

export const Introspection = Type.Object(
  { active: Type.Boolean() },
  { additionalProperties: true, description: 'RFC 7662.' },
);
export const Metadata = Type.Object(
  { issuer: Type.String() },
  { additionalProperties: true, description: 'OpenID Connect Discovery 1.0, RFC 8414.' },
);
export const Empty = Type.Null({ description: 'Done, or there was nothing to do.' });
export const Page = TextAnswer('text/html', 'A page.');
export const Redirect = Type.Null({ description: 'A redirect.' });
