/** Bodies of the protocol endpoints: forms, as OAuth says, and JSON, as our contract adds. */
import { isStorableText } from '../../lib/exact-json.ts';
import type { Form } from './delegate-to-provider.ts';

export const LINK_ALREADY_USED =
  'This link is not for this browser, or it was used or has expired.';

/** A refusal in the shape of RFC 6749. */
export class OAuthError extends Error {
  readonly error: string;
  readonly status: number;
  constructor(error: string, description: string, status = 400) {
    super(description);
    this.name = 'OAuthError';
    this.error = error;
    this.status = status;
  }
}

/** Reads a form; a parameter given twice becomes a list, which the provider refuses. */
export function parseForm(text: string): Form {
  const form: Form = Object.create(null) as Form;
  for (const [name, value] of new URLSearchParams(text)) {
    const known = form[name];
    form[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value];
  }
  return form;
}

/** Takes a JSON object of texts as a form. @throws OAuthError */
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

/** Nothing that could not be stored goes on. @throws OAuthError */
export function checkForm(form: Form): Form {
  for (const [name, value] of Object.entries(form)) {
    const texts = Array.isArray(value) ? value : [value];
    // Bytes that are no UTF-8, a surrogate's too, have become replacement characters.
    if (![name, ...texts].every((text) => isStorableText(text) && !text.includes('\ufffd')))
      throw new OAuthError(
        'invalid_request',
        'a parameter holds NUL, a lone surrogate or bytes that are no UTF-8',
      );
  }
  return form;
}

/** The contract's `authorization_code` is OAuth's `code`; with it `grant_type` may be left out. @throws OAuthError */
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
