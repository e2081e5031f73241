/** The request of each documented operation, made of its examples, and a token that it accepts. */
import type { Database } from '../../src/db/index.ts';
import { OPERATOR_SCOPES } from '../../src/oidc/index.ts';
import type { DescribedOperation } from './documented-examples.ts';
import { insertUser } from './test-users.ts';
import type { TestTokens } from './tokens.ts';

export interface ExampleRequest {
  readonly method: DescribedOperation['method'];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}

/** The token of a guarded operation stands in the header, which a form may replace. */
function formOf({ security }: DescribedOperation, example: Record<string, string>) {
  const form = new URLSearchParams(example);
  if (security.length > 0) form.delete('access_token');
  return form;
}

/** An operation's request with its examples, once for each media type of its body. */
export function requestsOf(operation: DescribedOperation): ExampleRequest[] {
  const { method, path, parameters = [], requestBody } = operation;
  const examples = parameters.filter(({ example }) => example !== undefined);
  const target = examples
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const query = examples
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }): [string, string] => [name, String(example)]);
  const request = { method, url: `${target}?${new URLSearchParams(query)}` };
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { example }]) => ({
    ...request,
    headers: { 'content-type': type },
    payload: type.endsWith('json')
      ? JSON.stringify(example)
      : formOf(operation, example as Record<string, string>).toString(),
  }));
  return bodies.length === 0 ? [{ ...request, headers: {} }] : bodies;
}

const isOperators = ({ security }: DescribedOperation): boolean =>
  (security[0]?.oauth2 ?? []).some((scope) => scope.startsWith('operator:'));

/** A token of the kind that the operation takes, of a new user: several end the session. */
export async function tokenFor(
  database: Database,
  tokens: TestTokens,
  operation: DescribedOperation,
): Promise<string> {
  const kinds = operation['x-token-kinds'];
  if (isOperators(operation) && kinds?.includes('operator') !== false)
    return tokens.operator(...OPERATOR_SCOPES);
  const userId = await insertUser(database);
  if (isOperators(operation))
    return tokens.person(userId, { scopes: OPERATOR_SCOPES, authTime: new Date() });
  const { accessToken, deviceToken } = await tokens.login(userId);
  return kinds?.includes('business') === false ? deviceToken : accessToken;
}
