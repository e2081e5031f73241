/** Files of the ledger that an attacker altered. */
import { createSecretKey, generateKeyPairSync, hash, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ArchivedLedger,
  type Checks,
  openArchivedLedger,
  type Row,
  readArchiveFile,
  withLeaf,
  writeArchiveFile,
} from '../../../test/ledger/archive-fixture.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import { transaction } from '../../db/index.ts';
import { signText } from '../index.ts';
import { COLUMNS } from './archive-columns.ts';
import { type ArchiveLabel, placesOf } from './archive-label.ts';
import { openArchive } from './read-archive.ts';
import { ShardDigest } from './sealed-batch.ts';

const sealKey = createSecretKey(testMasterKey.derive('ledger-seal'));

describe.each(RUN_ENGINES)('an altered archive on %s', (engine) => {
  let archived: ArchivedLedger;
  beforeAll(async () => {
    archived = await openArchivedLedger(engine);
  });
  afterAll(() => archived.close());

  /** The findings of the second file with changed rows, or another label. */
  async function findAltered(
    change: (rows: Row[], label: ArchiveLabel) => Row[],
    checks: Checks = { keys: archived.keys },
  ): Promise<string[]> {
    const { rows, label } = await readArchiveFile(archived.path(archived.files[1] ?? ''));
    const changed: ArchiveLabel = JSON.parse(label);
    writeArchiveFile(archived.path('altered'), change(rows, changed), JSON.stringify(changed));
    const [report] = await archived.verify(['altered'], checks);
    return report?.findings.map(({ row, detail }) => `${row} ${detail}`) ?? [];
  }

  test('a file that is written again as it is agrees', async () => {
    expect(await findAltered((rows) => rows)).toEqual([]);
    expect(await findAltered((rows) => rows.map(withLeaf))).toEqual([]);
  });

  test.each(
    COLUMNS.map(({ name }) => name).filter(
      (name) => !['kind', 'shard', 'seal', 'leaf'].includes(name),
    ),
  )('a changed %s is found, and with another leaf too', async (name) => {
    const change = (value: unknown): unknown => {
      if (typeof value === 'bigint') return value + 1n;
      if (typeof value === 'boolean') return !value;
      if (value instanceof Uint8Array) return Uint8Array.from(value, (byte) => byte ^ 1);
      return `${value}1`;
    };
    const index = (rows: Row[]) =>
      rows.findIndex((row) => row[name] !== null && row[name] !== undefined);
    const alter = (rows: Row[]): Row[] => {
      // The first file has rows of every kind.
      expect(index(rows)).toBeGreaterThanOrEqual(0);
      return rows.map((row, i) =>
        i === index(rows) ? { ...row, [name]: change(row[name]) } : row,
      );
    };
    const whole = async (last: (row: Row) => Row) => {
      const { rows, label } = await readArchiveFile(archived.path(archived.files[0] ?? ''));
      const at = index(rows);
      const altered = alter(rows).map((row, i) => (i === at ? last(row) : row));
      writeArchiveFile(archived.path('altered'), altered, label);
      const [report] = await archived.verify(['altered'], { keys: archived.keys });
      return report?.findings ?? [];
    };
    expect(await whole((row) => row)).not.toEqual([]);
    expect(await whole(withLeaf)).not.toEqual([]);
    // A column without a value where there was one.
    expect(await whole((row) => withLeaf({ ...row, [name]: null }))).not.toEqual([]);
  });

  test.each<[string, (rows: Row[]) => Row[]]>([
    ['a row is missing', (rows) => rows.toSpliced(3, 1)],
    ['the last rows are missing', (rows) => rows.slice(0, -5)],
    ['all rows are missing', () => []],
    ['a row is there twice', (rows) => rows.toSpliced(4, 0, rows[4] ?? {})],
    ['two rows are swapped', (rows) => [rows[1] ?? {}, rows[0] ?? {}, ...rows.slice(2)]],
    ['a row is of an unknown kind', (rows) => rows.with(2, { ...rows[2], kind: 'gift' })],
    ['a row is of an unknown shard', (rows) => rows.with(2, { ...rows[2], shard: 99n })],
    ['a row is of another shard', (rows) => rows.with(2, { ...rows[2], shard: 15n })],
    ['a row is of another seal', (rows) => rows.with(2, { ...rows[2], seal: 99n })],
    ['a row has no numbers', (rows) => rows.with(2, { ...rows[2], id: null, credit_seq: null })],
  ])('%s: it is found', async (_, change) => {
    expect(await findAltered(change)).not.toEqual([]);
    expect(await findAltered((rows) => change(rows).map(withLeaf))).not.toEqual([]);
  });

  test('a leaf that was changed is found', async () => {
    const zeros = (rows: Row[]) => rows.with(2, { ...rows[2], leaf: Buffer.alloc(16) });
    expect(await findAltered(zeros)).toHaveLength(2);
  });

  test('a label that was changed, or is of another file, is found', async () => {
    const first: ArchiveLabel = JSON.parse(
      (await readArchiveFile(archived.path(archived.files[0] ?? ''))).label,
    );
    const altered: ((label: ArchiveLabel) => Partial<ArchiveLabel>)[] = [
      ({ archive }) => ({ archive: { ...archive, body: archive.body.replace('}', ' }') } }),
      () => ({ archive: first.archive }),
      () => ({ to: first.to }),
      () => ({ from: null }),
      () => first,
      ({ to }) => ({ to: { ...to, signature: first.to.signature } }),
      // A signed text of another kind.
      ({ to }) => ({ archive: to }),
    ];
    for (const change of altered)
      expect(
        await findAltered((rows, label) => {
          Object.assign(label, change(label));
          return rows;
        }),
      ).not.toEqual([]);
    await writeFile(archived.path('garbage'), 'PAR1 and no more');
    await expect(archived.verify(['garbage'])).rejects.toThrow();
    writeArchiveFile(archived.path('altered'), [], '{}');
    expect((await archived.verify(['altered']))[0]?.findings).toMatchObject([
      { detail: 'is no archive of a ledger' },
    ]);
  });

  /** The digests of a file, as a holder of the signing key can make them. */
  async function digestsOf(file: string, label: ArchiveLabel): Promise<string[]> {
    const digests = Array.from({ length: 16 }, () => new ShardDigest());
    const places = placesOf(JSON.parse(label.from?.body ?? 'null')) ?? [];
    const next = places.map(({ transfers, steps }) => ({ transfers, steps }));
    for await (const group of (await openArchive(archived.path(file))).readGroups()) {
      const place = group && next[group.shard];
      if (!place) continue;
      const { shard, seal: position, rows } = group;
      const count = (kind: string) => rows.filter(({ sealed }) => sealed.kind === kind).length;
      const [transfers, steps] = [count('transfer'), count('hold_step')];
      const createdAt_us = rows[0]?.sealed.row.createdAt_us ?? 0;
      const first = { firstTransfer: place.transfers, firstStep: place.steps };
      digests[shard]?.add({
        head: { shard, position, ...first, transfers, steps, createdAt_us },
        rows,
      });
      place.transfers += transfers;
      place.steps += steps;
    }
    return digests.map((digest) => digest.finish());
  }

  /** A file with one more unit in a transfer and all that follows from it, signed again. */
  async function forge(signBody: (body: string) => Promise<ArchiveLabel['archive']>) {
    const { rows, label: text } = await readArchiveFile(archived.path(archived.files[1] ?? ''));
    const label: ArchiveLabel = JSON.parse(text);
    const forged = rows.map((row) => withLeaf({ ...row, remark: 'forged' }));
    writeArchiveFile(archived.path('forged'), forged, text);
    const digests = await digestsOf('forged', label);
    const archive = await signBody(JSON.stringify({ ...JSON.parse(label.archive.body), digests }));
    writeArchiveFile(archived.path('forged'), forged, JSON.stringify({ ...label, archive }));
  }

  test('a holder of the signing key without the master key cannot alter a row', async () => {
    await forge((body) => transaction(archived.ledger.database, (tx) => signText(tx, body)));
    expect((await archived.verify(['forged'], { keys: archived.keys }))[0]?.findings).toEqual([]);
    const [report] = await archived.verify(['forged'], { keys: archived.keys, sealKey });
    expect(report?.findings[0]?.detail).toBe(
      'does not lead to the seal of its head under this master key',
    );
  });

  test('a key of another ledger counts only where no published keys are given', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const kid = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
    await forge(async (body) => {
      const signature = sign(null, Buffer.from(body), privateKey).toString('base64url');
      return { body, signature, kid };
    });
    const [report] = await archived.verify(['forged'], { keys: archived.keys });
    expect(report).toMatchObject({ kid: null, findings: [{ check: 'heads' }] });
  });
});
