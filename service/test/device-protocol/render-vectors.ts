/**
 * The test vectors of docs/guides/device-protocol.md, made by the code of the service and the SDK
 * (`npm run docs`); a test compares the file with them.
 */
import { createHash } from 'node:crypto';
import * as ws from 'ws';
import { createBackoff } from '../../../sdk/src/backoff.ts';
import { FINAL_CODES } from '../../../sdk/src/device-connection.ts';
import { CLOSE_CODES, PROTOCOL_ERRORS } from '../../src/devices/device-socket.ts';
import { renderProofVectors } from './proof-vectors.ts';
import { renderTrafficVectors } from './traffic-vectors.ts';

/** The writer of frames inside `ws`, which its types do not declare. */
const { Sender } = ws as unknown as {
  Sender: { frame(payload: Buffer, options: object): Buffer[] };
};

const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10];
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const MASK = Buffer.from('37fa213d', 'hex');
const BEAT = '{"type":"beat"}';
const STATE =
  '{"type":"state","node_id":"8Q6zNFU-lfxatP8SSURXfSgOsD675AfNWhWQINgCFx8","status":"online",' +
  '"heartbeat_interval":30,"server_time":"2026-11-25T12:00:00.000Z"}';

/** A frame as `ws` writes it; `mask` makes it a frame of a client. */
function frameOf(opcode: number, payload: Buffer, mask?: Buffer): string {
  const parts = Sender.frame(Buffer.from(payload), {
    fin: true,
    rsv1: false,
    opcode,
    readOnly: false,
    mask: mask !== undefined,
    ...(mask && { maskBuffer: mask, generateMask: (target: Buffer) => void mask.copy(target) }),
  });
  return Buffer.concat(parts).toString('hex');
}

function closePayload(code: number, reason: string): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return Buffer.concat([head, Buffer.from(reason)]);
}

function renderFrames() {
  const fromDevice = [
    { opcode: TEXT, payload: Buffer.from(BEAT) },
    { opcode: PONG, payload: Buffer.from('17') },
    { opcode: CLOSE, payload: closePayload(1000, '') },
    { opcode: TEXT, payload: Buffer.from(STATE) },
  ];
  const fromService = [
    { opcode: TEXT, payload: Buffer.from(STATE) },
    { opcode: TEXT, payload: Buffer.from(BEAT) },
    { opcode: PING, payload: Buffer.from('17') },
    { opcode: CLOSE, payload: closePayload(4403, 'disconnected by you') },
  ];
  const show = (mask?: Buffer) => (each: { opcode: number; payload: Buffer }) => ({
    opcode: each.opcode,
    payload: each.payload.toString('hex'),
    frame: frameOf(each.opcode, each.payload, mask),
  });
  return {
    mask: MASK.toString('hex'),
    from_device: fromDevice.map(show(MASK)),
    from_service: fromService.map(show()),
  };
}

/** Sent by a test over a live connection of the running service. */
export const MESSAGES = [
  { text: BEAT, answer: BEAT },
  { text: '{ "type": "beat", "more": [1] }', answer: BEAT },
  { text: '{"type":"state"}', closes: CLOSE_CODES.badMessage },
  { text: '[]', closes: CLOSE_CODES.badMessage },
  { text: 'null', closes: CLOSE_CODES.badMessage },
  { text: 'beat', closes: CLOSE_CODES.badMessage },
  { text: '', closes: CLOSE_CODES.badMessage },
] as const;

/** What a device does after the connection ended with a code. */
const REACTIONS: Readonly<Record<number, 'stop' | 'renew' | 'wait longer'>> = {
  [CLOSE_CODES.disconnected]: 'stop',
  [CLOSE_CODES.replaced]: 'stop',
  [CLOSE_CODES.unauthorised]: 'renew',
  [CLOSE_CODES.flood]: 'wait longer',
  [CLOSE_CODES.badMessage]: 'wait longer',
  [CLOSE_CODES.silent]: 'wait longer',
};

function renderCloseCodes() {
  const codes = new Set([
    ...Object.values(CLOSE_CODES),
    ...Object.keys(PROTOCOL_ERRORS).map(Number),
  ]);
  return [...codes]
    .sort((a, b) => a - b)
    .map((code) => ({ code, reaction: REACTIONS[code] ?? 'reconnect' }));
}

function renderBackoff() {
  return [0, 0.5, 0.999].map((random) => {
    const backoff = createBackoff(() => random);
    const waits_ms = Array.from({ length: 8 }, () => backoff.next());
    return { random, waits_ms, after_retry_after_30_s: backoff.next(30) };
  });
}

export async function renderVectors(): Promise<object> {
  const accept = createHash('sha1').update(`${KEY}${GUID}`).digest('base64');
  return {
    about: 'Test vectors of device-protocol.md, written by `npm run docs`.',
    dpop: await renderProofVectors(),
    handshake: { key: KEY, accept },
    frames: renderFrames(),
    messages: MESSAGES,
    close_codes: renderCloseCodes(),
    // `signed_out` is the SDK's own.
    final_problem_codes: [...FINAL_CODES].filter((code) => code !== 'signed_out').sort(),
    backoff: renderBackoff(),
    traffic: renderTrafficVectors(),
  };
}
