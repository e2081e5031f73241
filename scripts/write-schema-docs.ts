/** Writes docs/schema.md from the catalogue of a migrated database; a test compares the two. */
import { writeFileSync } from 'node:fs';
import { type Db, migrate, openEmbedded } from '../service/src/db/index.ts';
import { readMigrations } from '../service/src/db/migrations.ts';
import { type Column, readTables, type Table } from '../service/test/support/catalogue-tables.ts';
import { LOGICAL_RELATIONS } from './schema-relations.ts';

/** A domain of the SQL files, with its tables. */
interface Domain {
  readonly title: string;
  readonly introduction: string;
  readonly path: string;
  /** Comments by table. */
  readonly tables: Map<string, string>;
}

interface Relation {
  readonly from: string;
  readonly columns: readonly string[];
  readonly to: string;
  /** True: no foreign key. */
  readonly isLogical: boolean;
}

/** The first paragraph of a comment, as one line. */
function readComment(lines: readonly string[]): string {
  const texts = lines.map((line) => line.replace(/^-- ?/, ''));
  const end = texts.indexOf('');
  return texts.slice(0, end === -1 ? undefined : end).join(' ');
}

/** The comment lines that end at `end`. */
function commentBefore(lines: readonly string[], end: number): string {
  let start = end;
  while (start > 0 && lines[start - 1]?.startsWith('--')) start -= 1;
  return readComment(lines.slice(start, end));
}

/**
 * Reads the domains from the baseline. A later migration that creates a table names its domain in
 * the first line: `-- Devices: …`.
 */
function readDomains(): Domain[] {
  const domains: Domain[] = [];
  for (const { path, sql } of readMigrations().flatMap(({ files }) => files)) {
    const lines = sql.split('\n');
    const introduction = commentBefore(
      lines,
      lines.findIndex((line) => !line.startsWith('--')),
    );
    const title = introduction.slice(0, introduction.indexOf(':'));
    const domain = domains.find((known) => known.title === title) ?? {
      title,
      introduction: introduction.slice(title.length + 2),
      path,
      tables: new Map<string, string>(),
    };
    lines.forEach((line, index) => {
      const name = /^create (?:unlogged )?table (\w+)/.exec(line)?.[1];
      if (name === undefined) return;
      const comment = commentBefore(lines, index);
      if (title === '' || comment === '')
        throw new Error(
          `${path}: ${name} needs a comment, and the file a first line '-- Domain: …'`,
        );
      domain.tables.set(name, comment);
    });
    if (domain.tables.size > 0 && !domains.includes(domain)) domains.push(domain);
  }
  return domains;
}

function readRelations(tables: readonly Table[]): Relation[] {
  const relations: Relation[] = tables.flatMap(({ name, foreignKeys }) =>
    foreignKeys.map(({ columns, target }) => ({
      from: name,
      columns,
      to: target,
      isLogical: false,
    })),
  );
  for (const [place, to] of Object.entries(LOGICAL_RELATIONS)) {
    const [from = '', column = ''] = place.split('.');
    const table = tables.find(({ name }) => name === from);
    const isKnown = table?.columns.some(({ name }) => name === column);
    const isForeignKey = table?.foreignKeys.some(({ columns }) => columns.includes(column));
    if (!isKnown || isForeignKey || !tables.some(({ name }) => name === to))
      throw new Error(`schema-relations.ts: ${place} is not a column without a foreign key`);
    relations.push({ from, columns: [column], to, isLogical: true });
  }
  return relations;
}

/** Mermaid's grammar allows no commas and spaces in a type. */
function typeOf({ type }: Column): string {
  return type
    .replace('timestamp with time zone', 'timestamptz')
    .replace(/\(.*\)/, '')
    .replaceAll(' ', '_');
}

function renderTable({ name, columns }: Table, relations: readonly Relation[]): string {
  const lines = columns.map((column) => {
    const isReference = relations.some(
      (relation) => relation.from === name && relation.columns.includes(column.name),
    );
    const keys = [
      ...(column.isPrimary ? ['PK'] : []),
      ...(isReference ? ['FK'] : []),
      ...(column.isUnique && !column.isPrimary ? ['UK'] : []),
    ];
    const words = [
      typeOf(column),
      column.name,
      ...(keys.length > 0 ? [keys.join(', ')] : []),
      ...(column.isNullable ? ['"null"'] : []),
    ];
    return `    ${words.join(' ')}`;
  });
  return [`  ${name} {`, ...lines, '  }'].join('\n');
}

function renderRelation(relation: Relation, { columns }: Table): string {
  const own = columns.filter(({ name }) => relation.columns.includes(name));
  const one = own.some(({ isNullable }) => isNullable) ? '|o' : '||';
  const many = own.length === 1 && own[0]?.isUnique ? 'o|' : 'o{';
  const line = relation.isLogical ? '..' : '--';
  const label = relation.columns.join(', ');
  return `  ${relation.to} ${one}${line}${many} ${relation.from} : "${label}"`;
}

function renderDomain(
  domain: Domain,
  tables: readonly Table[],
  relations: readonly Relation[],
): string {
  const own = tables.filter(({ name }) => domain.tables.has(name));
  const lines = own.flatMap((table) =>
    relations
      .filter(({ from }) => from === table.name)
      .map((relation) => renderRelation(relation, table)),
  );
  const rows = [...domain.tables].map(([name, comment]) => `| \`${name}\` | ${comment} |`);
  const { title, introduction, path } = domain;
  return `## ${title}

${introduction.charAt(0).toUpperCase()}${introduction.slice(1)}
Columns, indexes and functions: [${path}](../service/migrations/${path}).

| table | content |
|---|---|
${rows.join('\n')}

\`\`\`mermaid
erDiagram
${[...own.map((table) => renderTable(table, relations)), ...lines].join('\n')}
\`\`\`
`;
}

/** The document as Markdown. @throws when a table is in no domain, or has no comment */
export async function renderSchema(db: Db): Promise<string> {
  const tables = await readTables(db);
  const domains = readDomains();
  const relations = readRelations(tables);
  for (const { name } of tables)
    if (!domains.some((domain) => domain.tables.has(name)))
      throw new Error(`table ${name} is in no domain`);
  return `# Schema

The ${tables.length} tables of the database by domain. This page is generated from a migrated
database and the comments of the migrations (\`npm run docs\`).

Solid lines are foreign keys. Dotted lines are references without a foreign key: on tables that
are written too often for one, or between domains; \`npm run edge-account -- verify\` checks those
of the ledger. PK: part of the primary key. FK: refers to another table. UK: unique. "null": may be
null. Tables of other domains are shown without columns.

${domains.map((domain) => renderDomain(domain, tables, relations)).join('\n')}`;
}

if (import.meta.main) {
  const database = await openEmbedded({});
  await migrate(database);
  writeFileSync(new URL('../docs/schema.md', import.meta.url), await renderSchema(database));
  await database.close();
}
