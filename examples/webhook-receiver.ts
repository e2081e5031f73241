/** Receives webhooks: verifies each message (Standard Webhooks), and takes each event once. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

const PORT = Number(process.env.PORT ?? 3001);
/** `secret` of the answer of `POST /operator/webhooks`; begins with `whsec_`. */
const secret = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace(/^whsec_/, ''), 'base64');
const TOLERANCE_S = 300;
/** Ids of taken messages. Keep them in your database, in the transaction of the effect. */
const taken = new Set<string>();

/** True for a message that the holder of the secret sent within the last five minutes. */
function isGenuine(id: string, headers: IncomingHttpHeaders, body: string): boolean {
  const sentAt = String(headers['webhook-timestamp']);
  if (!(Math.abs(Date.now() / 1000 - Number(sentAt)) <= TOLERANCE_S)) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${sentAt}.${body}`).digest();
  // After a change of the secret there are two signatures for a day.
  const signatures = String(headers['webhook-signature']).split(' ');
  return signatures.some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const server = createServer(async (request, response) => {
  const id = String(request.headers['webhook-id']);
  const body = await text(request);
  if (!isGenuine(id, request.headers, body)) return response.writeHead(401).end();
  if (!taken.has(id)) {
    const { type, data } = JSON.parse(body) as { type: string; data: object };
    console.log(`${type} ${JSON.stringify(data)}`);
    taken.add(id);
  }
  // Any 2xx takes the message; anything else, or no answer in 5 s, is sent again later.
  return response.writeHead(204).end();
});
server.listen(PORT, '127.0.0.1', () => console.log(`listening at http://127.0.0.1:${PORT}/`));
