/** Files of the ledger: written, and checked without a database. */
import { createSecretKey } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ArchivedLedger,
  collect,
  openArchivedLedger,
  readArchiveFile,
} from '../../../test/ledger/archive-fixture.ts';
import { dropGuards } from '../../../test/ledger/tampering-fixture.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import { type Transaction, transaction } from '../../db/index.ts';
import { archivePeriods, LedgerDisagrees, listHeads, verifyArchives } from '../index.ts';
import { createArchiver } from './archive-periods.ts';

const sealKey = createSecretKey(testMasterKey.derive('ledger-seal'));

describe.each(RUN_ENGINES)('archives of the ledger on %s', (engine) => {
  let archived: ArchivedLedger;
  beforeAll(async () => {
    archived = await openArchivedLedger(engine);
  });
  afterAll(() => archived.close());

  const archive = () => collect(archivePeriods(archived.ledger.database, archived.directory, {}));

  test('one file for each head, and none where nothing was posted', async () => {
    expect(archived.files).toHaveLength(2);
    expect((await readdir(archived.directory)).sort()).toEqual([...archived.files].sort());
    expect((await archive()).filter(({ rows }) => rows > 0)).toEqual([]);
  });

  test('has every row that a head covers, of every kind', async () => {
    const kinds = new Map<unknown, number>();
    for (const file of archived.files)
      for (const { kind } of (await readArchiveFile(archived.path(file))).rows)
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const { rows } = await archived.ledger.database.query(
      `select sum(transfers)::int as transfer, sum(steps)::int as hold_step,
        sum(refusals)::int as refusal from ledger_shard`,
    );
    expect(Object.fromEntries(kinds)).toEqual(rows[0]);
  });

  test.each([
    ['with the keys of the file', () => ({})],
    ['with published keys', () => ({ keys: archived.keys })],
    ['with the master key', () => ({ keys: archived.keys, sealKey })],
  ])('agrees %s', async (_, checks) => {
    const reports = await archived.verify(archived.files, checks());
    expect(reports.flatMap(({ findings }) => findings)).toEqual([]);
    expect(reports.map(({ continues }) => continues)).toEqual([false, true]);
    expect(reports[1]?.accounts).toBeGreaterThanOrEqual(reports[0]?.accounts ?? 0);
    expect(reports.map(({ kid }) => kid)).toEqual([archived.keys[0]?.kid, archived.keys[0]?.kid]);
  });

  test('heads that were kept elsewhere are compared', async () => {
    const heads = await listHeads(archived.ledger.database, { limit: 10 });
    expect(
      (await archived.verify(archived.files, { keys: archived.keys, heads })).flatMap(
        ({ findings }) => findings,
      ),
    ).toEqual([]);
    const [last] = heads;
    if (!last) throw new Error('no head');
    const unsigned = {
      ...last,
      signature: last.signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
    };
    expect(
      (await archived.verify(archived.files, { keys: archived.keys, heads: [unsigned] }))[1]
        ?.findings,
    ).toMatchObject([
      { row: `exported head of ${last.day}`, detail: 'was not signed by a key of the archive' },
    ]);
  });

  test('files that do not follow each other are no continuation', async () => {
    const reports = await archived.verify(archived.files.toReversed(), {
      keys: archived.keys,
    });
    expect(reports.map(({ continues, findings }) => [continues, findings])).toEqual([
      [false, []],
      [false, []],
    ]);
  });

  test.each<[string, string]>([
    [
      'transfer',
      'update transfer set amount = amount + 1 where id = (select max(id) from transfer)',
    ],
    ['entry', 'delete from entry where transfer_id = (select max(id) from transfer)'],
    ['seal', "update batch_seal set mac = '\\x00' where position = 1"],
    ['hold', 'update hold_step set amount = amount + 1'],
    ['refused posting', "update refused_posting set code = 'other'"],
    ['shard of a head', 'update batch_seal set position = position + 1000 where position > 1'],
  ])('a ledger whose %s was changed is not signed', async (_, sql) => {
    const fresh = await mkdtemp(join(tmpdir(), 'archive-'));
    const attempt = transaction(archived.ledger.database, async (tx: Transaction) => {
      for (const table of ['transfer', 'entry', 'batch_seal', 'hold_step', 'refused_posting'])
        await dropGuards(tx, table);
      await tx.query(sql);
      await collect(archivePeriods(tx, fresh, {}));
      throw new Error('it was archived');
    });
    await expect(attempt).rejects.toThrow(LedgerDisagrees);
    const left = await readdir(fresh);
    expect(left.filter((file) => !file.endsWith('.parquet'))).toEqual([]);
    await rm(fresh, { recursive: true });
  });

  test('the job writes what its directory lacks, and does not make the directory', async () => {
    const { database, clock } = archived.ledger;
    const fresh = await mkdtemp(join(tmpdir(), 'archive-'));
    const run = createArchiver(database, pathToFileURL(fresh).href);
    // A file of a process that was killed, and one that another process writes now.
    await writeFile(join(fresh, 'ledger-2026-01-01.parquet.1.unfinished'), '');
    await writeFile(join(fresh, 'ledger-2026-01-02.parquet.2.unfinished'), '');
    const now_s = clock.now().getTime() / 1000;
    await utimes(join(fresh, 'ledger-2026-01-01.parquet.1.unfinished'), now_s, now_s - 86_401);
    await utimes(join(fresh, 'ledger-2026-01-02.parquet.2.unfinished'), now_s, now_s - 86_000);
    await run(AbortSignal.abort());
    expect(await readdir(fresh)).toHaveLength(1);
    const { signal } = new AbortController();
    await Promise.all([run(signal), run(signal)]);
    const kept = 'ledger-2026-01-02.parquet.2.unfinished';
    expect((await readdir(fresh)).sort()).toEqual([kept, ...archived.files].sort());
    const reports = await collect(
      verifyArchives(
        archived.files.map((file) => join(fresh, file)),
        { keys: archived.keys, sealKey },
      ),
    );
    expect(reports.flatMap(({ findings }) => findings)).toEqual([]);
    await rm(fresh, { recursive: true });
    await expect(run(signal)).rejects.toThrow('of LEDGER_ARCHIVE_TO does not exist');
  });

  test('only the days that are asked for are archived', async () => {
    const fresh = await mkdtemp(join(tmpdir(), 'archive-'));
    const day = archived.files[1]?.slice('ledger-'.length, -'.parquet'.length) ?? '';
    const written = await collect(
      archivePeriods(archived.ledger.database, fresh, { from: day, until: day }),
    );
    expect(written.map(({ file }) => file)).toEqual([archived.files[1]]);
    const [report] = await collect(
      verifyArchives([join(fresh, archived.files[1] ?? '')], { keys: archived.keys, sealKey }),
    );
    expect(report).toMatchObject({ findings: [], continues: false, to: day });
    await rm(fresh, { recursive: true });
  });
});
