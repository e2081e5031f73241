/** The operator, the users and the OAuth application of a simulation. */
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  createEdgeClient,
  createServerClock,
  type EdgeClient,
  fixedToken,
  requestClientTokens,
  unwrap,
} from '@edge-account/sdk';
import { CommandError } from '../command-error.ts';

export interface Person {
  readonly client: EdgeClient;
  readonly accessToken: string;
}

export interface SimulationContext {
  readonly baseUrl: string;
  readonly operator: EdgeClient;
  /** Exchanges tokens of users for device tokens. */
  readonly application: { readonly clientId: string; readonly clientSecret: string };
  readonly people: readonly Person[];
  close(): Promise<void>;
}

/** A call without types. */
export async function callJson<T>(
  client: EdgeClient,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const init = {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  };
  const response = await client.send(
    new Request(`${client.baseUrl}${path}`, {
      ...init,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  if (!response.ok)
    throw new CommandError(
      `${method} ${path} was answered ${response.status}: ${text.slice(0, 300)}`,
    );
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

async function readMailedCode(open: EdgeClient, email: string): Promise<string> {
  const mails = await callJson<{ to: string; text: string }[]>(open, 'GET', '/dev/mail');
  const code = mails.find((mail) => mail.to === email)?.text.match(/^\s*(\d{6})\s*$/m)?.[1];
  if (code === undefined)
    throw new CommandError('no code arrived: the service must run with its development mailbox');
  return code;
}

async function createPerson(baseUrl: string): Promise<Person> {
  const open = createEdgeClient({ baseUrl });
  const name = randomBytes(6).toString('hex');
  const email = `sim.${name}@example.test`;
  const login_password = createHash('md5').update(`simulated person ${name}`).digest('hex');
  const { register_ticket } = await unwrap(
    open.api.POST('/user/register', { body: { email, login_password, nickname: `Sim ${name}` } }),
  );
  await unwrap(
    open.api.POST('/user/register/verify', {
      body: { email, register_ticket, validate_code: await readMailedCode(open, email) },
    }),
  );
  const { login_ticket } = await unwrap(
    open.api.POST('/user/login-with-password', { body: { email, login_password } }),
  );
  const factor = {
    email,
    login_ticket,
    method: 'EMAIL' as const,
    validate_code: await readMailedCode(open, email),
  };
  const { access_token: accessToken } = await unwrap(
    open.api.POST('/user/login/2fa', { body: factor }),
  );
  return { accessToken, client: createEdgeClient({ baseUrl, tokens: fixedToken(accessToken) }) };
}

async function readOperatorFile(
  path: string,
): Promise<{ client_id: string; client_secret: string }> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as { client_id: string; client_secret: string };
  } catch (error) {
    throw new CommandError(`--operator: ${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Creates the application and the users. */
export async function openSimulation(
  baseUrl: string,
  operatorFile: string,
  peopleCount: number,
): Promise<SimulationContext> {
  const { client_id: clientId, client_secret: clientSecret } = await readOperatorFile(operatorFile);
  const { accessToken } = await requestClientTokens({
    baseUrl,
    clientId,
    clientSecret,
    clock: createServerClock(),
  });
  const operator = createEdgeClient({ baseUrl, tokens: fixedToken(accessToken) });
  const created = await callJson<{ client_id: string; client_secret: string }>(
    operator,
    'POST',
    '/operator/clients',
    {
      client_name: 'Network simulator',
      type: 'confidential',
      first_party: true,
      scopes: ['device:connect', 'devices:read'],
      grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange'],
    },
  );
  const people: Person[] = [];
  for (let i = 0; i < peopleCount; i++) people.push(await createPerson(baseUrl));
  return {
    baseUrl,
    operator,
    application: { clientId: created.client_id, clientSecret: created.client_secret },
    people,
    close: () => callJson(operator, 'DELETE', `/operator/clients/${created.client_id}`),
  };
}
