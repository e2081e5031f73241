/** Development mailbox: `GET /dev/mail`, only without an SMTP server and on loopback. */

import type { IncomingMessage } from 'node:http';
import Type from 'typebox';
import type { CurrentBrand } from '../brand/index.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { failure } from '../lib/failures.ts';
import { operations } from './operations.ts';
import { signMail, type UnsignedMail } from './sign-mail.ts';

const DevMail = Type.Array(
  Type.Object({
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
  }),
  {
    description: 'The newest 100 mails, newest first.',
  },
);

interface MailRow extends UnsignedMail {
  readonly recipient: string;
  readonly subject: string;
  readonly created_at: Date;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const STYLE = `:root{color-scheme:light dark;font-family:system-ui,sans-serif}
body{max-width:44rem;margin:2rem auto;padding:0 1rem;line-height:1.5}
article{border:1px solid #8884;border-radius:.75rem;padding:1rem 1.25rem;margin:1rem 0}
h2{font-size:1rem;margin:0}p{margin:.25rem 0;opacity:.75;font-size:.875rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.75rem 0 0}`;

function renderPage(mails: readonly MailRow[]): string {
  const articles = mails.map(
    ({ subject, recipient, created_at, body }) => `<article><h2>${escapeHtml(subject)}</h2>
<p>to ${escapeHtml(recipient)} · ${created_at.toISOString()}</p>
<pre>${escapeHtml(body)}</pre></article>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Development mailbox</title>
<link rel="stylesheet" href="/dev/mail.css"><h1>Development mailbox</h1>
${articles.join('') || '<p>No mail yet. Codes that the service sends appear here.</p>'}</html>`;
}

/** Headers that only proxies send. */
const FORWARDED =
  /^(forwarded|via|x-forwarded-.*|x-original-.*|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip)$/;

/** True for a request without a proxy whose Host is the service's own. */
function isDirect(request: IncomingMessage, host: string): boolean {
  const names = request.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const hasOwnHost =
    request.headers.host === host &&
    names.filter((name) => name === 'host').length === 1 &&
    request.url?.startsWith('/') === true;
  return hasOwnHost && !names.some((name) => FORWARDED.test(name));
}

interface DevMailboxDeps {
  readonly config: Config;
  readonly database: Database;
  readonly brand: CurrentBrand;
}

/** Registers the mailbox. Requests through a proxy or for another Host could leak codes: 404. */
export function createDevMailbox(
  app: HttpServer,
  { config, database, brand }: DevMailboxDeps,
): void {
  const host = new URL(config.BASE_URL).host;
  const access = { config: { access: 'open' as const } };
  app.get(
    '/dev/mail',
    {
      ...access,
      schema: {
        ...operations.listDevelopmentMail,
        response: {
          200: {
            description: 'The mails.',
            content: {
              'application/json': { schema: DevMail },
              'text/html': { schema: Type.String({ description: 'A page.' }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      if (!isDirect(request.raw, host)) throw failure('not_found');
      const { rows: unsigned } = await database.query<MailRow>(
        `select recipient, subject, body, language, created_at from mail
         order by id desc limit 100`,
      );
      const rows = unsigned.map((row) => ({ ...row, body: signMail(row, brand.get()) }));
      if (request.headers.accept?.includes('application/json'))
        return rows.map(({ recipient, subject, body, created_at }) => ({
          to: recipient,
          subject,
          text: body,
          created_at: created_at.toISOString(),
        }));
      return reply
        .type('text/html; charset=utf-8')
        .header(
          'content-security-policy',
          "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
        )
        .send(renderPage(rows) as never);
    },
  );
  app.get('/dev/mail.css', { ...access, schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/css').send(STYLE),
  );
}
