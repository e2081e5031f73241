/** A service that has been there for long: accounts with wallets, devices and a referral tree. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSource } from '../../bench/support/import-source.ts';
import type { DrillReport } from '../harness/drill.ts';
import { type Lab, runChecked } from './lab.ts';

/** @param of how many users, and the program of the version that imports them */
export async function fillUsers(
  report: DrillReport,
  env: Lab['env'],
  { users, main }: { readonly users: number; readonly main: string },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-users-'));
  try {
    await writeSource(folder, { count: users });
    await runChecked(['import', folder], { ...env, DATA_DIR: folder }, { main });
  } finally {
    rmSync(folder, { recursive: true });
  }
  report.note(`${users.toLocaleString('en')} accounts were imported`);
}
