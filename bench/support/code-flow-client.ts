/** The four requests of a code flow over kept-alive connections, the same for both sides. */
import { createHash, randomBytes } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export function send(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method,
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** What a browser sends back of the cookies it got. */
export function cookiesOf(answer: Answer): string {
  return (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]).join('; ');
}

export function locationOf(answer: Answer): URL {
  if (answer.headers.location === undefined)
    throw new Error(`no redirect: ${answer.status} ${answer.body}`);
  return new URL(answer.headers.location);
}

export interface FlowOptions {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly redirectUri: string;
  readonly scope: string;
  /** Allows what is asked at the given address; gives where to continue. */
  allow(pageUrl: URL, cookies: string): Promise<URL>;
}

/** One flow from the authorization request to the token. */
export async function runCodeFlow({
  authorizeUrl,
  tokenUrl,
  redirectUri,
  scope,
  allow,
}: FlowOptions): Promise<void> {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    client_id: 'bench',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state: 's',
    nonce: 'n',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const begun = await send('GET', `${authorizeUrl}?${query}`);
  const cookies = cookiesOf(begun);
  const ended = await send('GET', (await allow(locationOf(begun), cookies)).href, {
    cookie: cookies,
  });
  const code = locationOf(ended).searchParams.get('code') ?? '';
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: 'bench',
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  });
  const answer = await send(
    'POST',
    tokenUrl,
    { 'content-type': 'application/x-www-form-urlencoded' },
    form.toString(),
  );
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.body}`);
}
