/** Copies of the signed heads outside of the database, made by themselves each day. */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Db } from '../db/index.ts';
import type { Outgoing } from '../http/index.ts';
import { listHeads, type SignedHead } from './signed-heads.ts';

/** Days for which the place may be unreachable without a gap in the copies. */
const SHIPPED_DAYS = 30;

const fileOf = (day: string): string => `ledger-head-${day}.json`;

/** Whole or not at all; a copy that is there is never written again. */
function writeHead(directory: string, head: SignedHead): void {
  const path = join(directory, fileOf(head.day));
  if (existsSync(path)) return;
  const unfinished = `${path}.unfinished`;
  writeFileSync(unfinished, `${JSON.stringify(head)}\n`, { flush: true });
  renameSync(unfinished, path);
}

async function postHead(outgoing: Outgoing, url: string, head: SignedHead): Promise<void> {
  // 409: a place that keeps each key once has it, from before a restart.
  const { status } = await outgoing.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', 'idempotency-key': fileOf(head.day) },
    body: JSON.stringify(head),
  });
  if ((status < 200 || status > 299) && status !== 409)
    throw new Error(`${url} answered ${status} to a signed head`);
}

/**
 * Creates the job's work: copies the heads of the last 30 days that were not copied yet.
 * After a restart an address gets them again, under the same keys.
 * @param place `file:///DIRECTORY`, or an https address that takes each head by POST
 */
export function createHeadShipper(db: Db, outgoing: Outgoing, place: string): () => Promise<void> {
  const shipped = new Set<string>();
  const directory = place.startsWith('file:') ? fileURLToPath(place) : undefined;
  return async () => {
    // Not created: below a mount that is gone it would be on the disk of this machine.
    if (directory !== undefined && !existsSync(directory))
      throw new Error(`${directory} of SIGNED_HEADS_TO does not exist: create or mount it`);
    for (const head of (await listHeads(db, { limit: SHIPPED_DAYS })).toReversed()) {
      if (shipped.has(head.day)) continue;
      if (directory !== undefined) writeHead(directory, head);
      else await postHead(outgoing, place, head);
      shipped.add(head.day);
    }
  };
}
