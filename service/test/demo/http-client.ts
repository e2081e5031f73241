/**
 * The demo's HTTP client: plain fetch. It keeps the text beside the parsed body, because the text
 * has exact amounts.
 */

export interface Reply {
  readonly status: number;
  /** The body as it was sent, with exact digits. */
  readonly text: string;
  readonly json: unknown;
}

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export class UnexpectedAnswer extends Error {
  constructor(what: string, reply: Reply) {
    super(`${what} answered ${reply.status}: ${reply.text.slice(0, 500)}`);
    this.name = 'UnexpectedAnswer';
  }
}

/** Sends one request. */
export async function call(
  url: string,
  { method, token, body, headers = {} }: CallOptions = {},
): Promise<Reply> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** Sends one request that must succeed, and returns its body. */
export async function expectOk<T>(url: string, options: CallOptions = {}): Promise<T> {
  const reply = await call(url, options);
  if (reply.status < 200 || reply.status > 299)
    throw new UnexpectedAnswer(
      `${options.method ?? (options.body === undefined ? 'GET' : 'POST')} ${new URL(url).pathname}`,
      reply,
    );
  return reply.json as T;
}

interface DevMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The newest six-digit code that was mailed to an address. */
export async function readCode(baseUrl: string, email: string): Promise<string> {
  const mails = await expectOk<DevMail[]>(`${baseUrl}/dev/mail`);
  const code = mails.find((mail) => mail.to === email)?.text.match(/^\s*(\d{6})\s*$/m)?.[1];
  if (code === undefined) throw new Error(`no code was mailed to ${email}`);
  return code;
}
