/** Bodies of the protocol endpoints: forms as OAuth defines them, and JSON as the contract adds. */
import { isStorableText } from '../../lib/exact-json.ts';
import { TOKEN_EXCHANGE } from '../clients/index.ts';
import { RESPONSE_MODES } from './client-metadata.ts';
import type { Form } from './delegate-to-provider.ts';
import { OAuthError } from './oauth-errors.ts';

/**
 * Reads a form.
 * @throws OAuthError when a parameter is repeated (RFC 6749, 3.1 and 3.2), except `resource`
 */
export function parseForm(text: string): Form {
  const form: Form = Object.create(null) as Form;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = form[name];
    if (before !== undefined && name === 'resource') {
      form[name] = `${before} ${value}`;
      continue;
    }
    if (before !== undefined)
      throw new OAuthError('invalid_request', `the parameter ${JSON.stringify(name)} is repeated`);
    form[name] = value;
  }
  return form;
}

/** Reads a JSON object of strings as a form. @throws OAuthError */
export function formOfJson(body: unknown): Form {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthError('invalid_request', 'the body must be a JSON object');
  const form: Form = Object.create(null) as Form;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string')
      throw new OAuthError('invalid_request', `${name} must be a string`);
    form[name] = value;
  }
  return form;
}

/** Refuses text that cannot be stored. @throws OAuthError */
export function checkForm(form: Form): Form {
  for (const [name, value] of Object.entries(form)) {
    // Invalid UTF-8, encoded surrogates included, has become replacement characters.
    if (![name, value].every((text) => isStorableText(text) && !text.includes('\ufffd')))
      throw new OAuthError(
        'invalid_request',
        'a parameter contains NUL, a lone surrogate or invalid UTF-8',
      );
  }
  return form;
}

/** Refuses a token request that names several APIs: a token is for one. @throws OAuthError */
export function requireOneResource(form: Form): Form {
  if (form.resource?.includes(' '))
    throw new OAuthError('invalid_target', 'a token is for one resource: name one');
  return form;
}

/**
 * The contract's `authorization_code` is OAuth's `code`; with it `grant_type` may be left out.
 * @throws OAuthError
 */
export function applyAliases(form: Form): Form {
  const { authorization_code, ...rest } = form;
  if (authorization_code === undefined) return form;
  if (rest.code !== undefined)
    throw new OAuthError(
      'invalid_request',
      'code and authorization_code are the same parameter: send one',
    );
  return { grant_type: 'authorization_code', ...rest, code: authorization_code };
}

const EXCHANGE_FIELDS: ReadonlySet<string> = new Set([
  'access_token',
  'client_id',
  'client_secret',
  'node_id',
  'scope',
]);

/** The token request of an internal exchange: only the documented fields. @throws OAuthError */
export function toExchangeForm(body: unknown): Form {
  const form = checkForm(formOfJson(body));
  const foreign = Object.keys(form).find((name) => !EXCHANGE_FIELDS.has(name));
  if (foreign !== undefined) throw new OAuthError('invalid_request', `unknown field ${foreign}`);
  const { access_token, client_id, ...rest } = form;
  if (access_token === undefined || client_id === undefined)
    throw new OAuthError('invalid_request', 'access_token and client_id are required');
  return {
    ...rest,
    client_id,
    grant_type: TOKEN_EXCHANGE,
    subject_token: access_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  };
}

/** A longer request would not fit into a URL once it is encrypted. */
const REQUEST_MAX = 4096;

const isOffline = (scope: string | null = ''): boolean =>
  (scope ?? '').split(' ').includes('offline_access');

/**
 * The URL of an authorization request as the provider gets it. `offline_access` needs the user's
 * consent each time; OpenID Connect makes clients ask for it, this service does it for them.
 * @throws OAuthError
 */
export function prepareAuthorizationUrl(url: string): string {
  if (url.length > REQUEST_MAX)
    throw new OAuthError('invalid_request', `the request is longer than ${REQUEST_MAX} characters`);
  const [path = ''] = url.split('?', 1);
  const parameters = new URLSearchParams(url.slice(path.length));
  const mode = parameters.get('response_mode');
  if (mode !== null && !RESPONSE_MODES.includes(mode))
    throw new OAuthError('invalid_request', 'response_mode must be query or form_post');
  // Other types have another default mode, which is refused; the client reads the error in the
  // query.
  if (mode === null && parameters.get('response_type') !== 'code')
    parameters.append('response_mode', 'query');
  else if (!parameters.has('prompt') && isOffline(parameters.get('scope')))
    parameters.append('prompt', 'consent');
  else return url;
  return `${path}?${parameters}`;
}

/** The same of a pushed request, which the authorization request then only names. */
export function preparePushedRequest(form: Form): Form {
  return form.prompt === undefined && isOffline(form.scope) ? { ...form, prompt: 'consent' } : form;
}
