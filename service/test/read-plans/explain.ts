/** The cost of a statement: blocks and rows that it reads, and tables that it scans completely. */
import pg from 'pg';
import type { Statement } from './record-statements.ts';

export interface Cost {
  /** Blocks of 8 KB, in memory or not. */
  readonly blocks: number;
  /** Rows that scans examined, including those that were discarded. */
  readonly rows: number;
  /** Tables that were scanned from end to end. */
  readonly scanned: readonly string[];
  /** Blocks that a sort or a hash wrote to disk. */
  readonly spilled: number;
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly 'Temp Written Blocks'?: number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

function rowsOf(node: Plan): number {
  const looked =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(looked * node['Actual Loops']);
}

function costOf(plan: Plan): Cost {
  const nodes = nodesOf(plan);
  const scans = nodes.filter(
    (node) => node['Relation Name'] !== undefined && /Scan$/.test(node['Node Type']),
  );
  return {
    blocks: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    rows: scans.reduce((sum, node) => sum + rowsOf(node), 0),
    scanned: scans
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? ''),
    spilled: plan['Temp Written Blocks'] ?? 0,
  };
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

function arrayText(values: readonly unknown[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : quoted(textOf(value)))).join(',')}}`;
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (Array.isArray(value)) return arrayText(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const literal = (value: unknown): string =>
  value === null || value === undefined ? 'null' : pg.escapeLiteral(textOf(value));

export type PlanMode = 'force_custom_plan' | 'force_generic_plan';

/**
 * A prepared statement may use either plan; one without a name is planned for its values each time.
 */
export const planModesOf = ({ name }: Statement): PlanMode[] =>
  name === undefined ? ['force_custom_plan'] : ['force_custom_plan', 'force_generic_plan'];

/**
 * Runs a statement again, without effect, and returns its cost. Planning is not counted. @param
 * settings of its transaction
 */
export async function explain(
  client: pg.Client,
  { text, values }: Statement,
  mode: PlanMode,
  settings: readonly string[],
): Promise<Cost & { readonly plan: unknown }> {
  await client.query('begin');
  try {
    for (const setting of settings) await client.query(setting);
    await client.query(`set local plan_cache_mode = ${mode}`);
    await client.query(`prepare explained as ${text}`);
    const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, timing off, format json) execute explained${given}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    if (!plan) throw new Error('there is no plan');
    return { ...costOf(plan), plan };
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
  }
}
