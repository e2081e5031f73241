/**
 * Checks the proof of a reward in the browser, from its text and the published keys alone: nothing that the service
 * says now can change the outcome. `edge-account verify-proof` also repeats the calculation from rules and reports.
 */
export interface Proof {
  readonly format: string;
  readonly explanation: string;
  readonly bill: {
    readonly user_id: number;
    readonly business_id: string;
    readonly amount_direction: number;
    readonly amount: string;
    readonly scale: number;
    readonly event_at: string;
  };
  readonly line: {
    readonly batch: number;
    readonly leaf: number;
    readonly hour: string;
    readonly rule_version: number;
    readonly rule_hash: string;
    readonly user_id: number;
    readonly node_id: string;
    readonly reward_type: string;
    readonly level: number;
    readonly part: string;
    readonly status: string;
    readonly quantity: string;
    readonly rate: string;
    readonly settled_before: string;
    readonly amount: string;
    readonly reason: string;
  };
  readonly rules: string;
  readonly reports: readonly { readonly client_id: string; readonly report_id: string }[];
  readonly tree: { readonly salt: string; readonly size: number; readonly path: readonly string[]; readonly root: string };
  readonly ledger: { readonly transfer_id: number; readonly reference: string };
  readonly key_id: string;
  readonly signature: string;
}

export interface ProofKey {
  readonly kty: string;
  readonly crv: string;
  readonly kid: string;
  readonly x: string;
}

export const PROOF_CHECKS = ['whole', 'signed', 'billed', 'ruled', 'rooted', 'sealed'] as const;
export type ProofCheck = (typeof PROOF_CHECKS)[number];

const FORMAT = 'edge-account reward proof 1';
const LEAF = 0;
const NODE = 1;

const encoder = new TextEncoder();

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error('not hexadecimal');
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}

async function sha256(...parts: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
}

/** What is hashed of a line. */
function lineContent({ line }: Proof): string {
  const what = [
    line.user_id,
    line.node_id,
    line.reward_type,
    line.level,
    line.part,
    line.status,
    line.quantity,
    line.rate,
    line.settled_before,
    line.amount,
    line.reason,
  ];
  return JSON.stringify(['edge-account reward line 1', line.batch, line.leaf, line.hour, line.rule_version, line.rule_hash, ...what]);
}

async function leadsToRoot(proof: Proof): Promise<boolean> {
  const { line, tree } = proof;
  if (line.leaf >= tree.size) return false;
  let current = await sha256(Uint8Array.of(LEAF), fromHex(tree.salt), encoder.encode(lineContent(proof)));
  let taken = 0;
  let index = line.leaf;
  for (let last = tree.size - 1; last > 0; last = Math.floor(last / 2), index = Math.floor(index / 2)) {
    // The last node of an odd row has no neighbour.
    if (index % 2 === 0 && index === last) continue;
    const neighbour = fromHex(tree.path[taken++] ?? 'missing');
    current = index % 2 === 0 ? await sha256(Uint8Array.of(NODE), current, neighbour) : await sha256(Uint8Array.of(NODE), neighbour, current);
  }
  return taken === tree.path.length && toHex(current) === tree.root;
}

async function isSigned({ signature, ...rest }: Proof, keys: readonly ProofKey[]): Promise<boolean> {
  const key = keys.find((candidate) => candidate.kid === rest.key_id && candidate.kty === 'OKP' && candidate.crv === 'Ed25519');
  if (!key) return false;
  const imported = await crypto.subtle.importKey('jwk', { kty: key.kty, crv: key.crv, x: key.x }, { name: 'Ed25519' }, false, ['verify']);
  return crypto.subtle.verify({ name: 'Ed25519' }, imported, fromBase64Url(signature), encoder.encode(JSON.stringify(rest)));
}

/** Minor units of a decimal. */
function minorOf(amount: string, scale: number): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

function isBilled({ bill, line }: Proof): boolean {
  const amount = minorOf(bill.amount, bill.scale) * (bill.amount_direction === 1 ? 1n : -1n);
  const business = line.level > 0 ? 'referral_reward' : 'reward';
  return (
    amount === BigInt(line.amount) && bill.user_id === line.user_id && bill.business_id === business && bill.event_at === line.hour && line.status === 'paid'
  );
}

async function attempt(check: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await check();
  } catch {
    return false;
  }
}

/** Every check with its outcome; the proof holds when all passed. */
export async function verifyProof(text: string, keys: readonly ProofKey[]): Promise<Readonly<Record<ProofCheck, boolean>>> {
  const proof = JSON.parse(text) as Proof;
  const [signed, ruled, rooted] = await Promise.all([
    attempt(() => isSigned(proof, keys)),
    attempt(async () => toHex(await sha256(encoder.encode(proof.rules))) === proof.line.rule_hash),
    attempt(() => leadsToRoot(proof)),
  ]);
  return {
    whole: await attempt(() => proof.format === FORMAT && JSON.stringify(proof) === text),
    signed,
    billed: await attempt(() => isBilled(proof)),
    ruled,
    rooted,
    sealed: await attempt(() => proof.ledger.reference === `rewards ${proof.line.batch} ${proof.tree.root}`),
  };
}
