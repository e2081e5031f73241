/** Metadata of clients beyond what the registry's columns hold; stored as one JSON object. */
import Type, { type Static } from 'typebox';

const Uri = (description: string) => Type.String({ maxLength: 2000, description });

/** Under the names of OpenID Connect Dynamic Client Registration 1.0 and its extensions. */
export const CLIENT_METADATA = {
  post_logout_redirect_uris: Type.Array(Uri('Compared exactly.'), {
    maxItems: 20,
    description:
      'Where a browser may go after a logout that the application asked for (OpenID Connect ' +
      'RP-Initiated Logout 1.0). The rules are those of `redirect_uris`. Default: none.',
  }),
  backchannel_logout_uri: Uri(
    'Receives a logout token by POST when a session ends in which the application was signed in ' +
      'to (OpenID Connect Back-Channel Logout 1.0): https, of the public internet. Empty: none, ' +
      'the default.',
  ),
} as const;

const Metadata = Type.Partial(Type.Object(CLIENT_METADATA));
export type ClientMetadata = Readonly<Static<typeof Metadata>>;
export const METADATA_NAMES = Object.keys(CLIENT_METADATA) as (keyof ClientMetadata)[];

/** The fields of a request that are metadata. */
export function pickMetadata(body: Readonly<Partial<ClientMetadata>>): ClientMetadata {
  return Object.fromEntries(
    METADATA_NAMES.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}

/** Without what says no more than the default. */
export function normaliseMetadata(metadata: ClientMetadata): ClientMetadata {
  return Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => value !== '' && value.length !== 0),
  );
}
