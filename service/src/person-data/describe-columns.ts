/** The JSON Schema of a line, from the columns of the database. */
import type { Db } from '../db/index.ts';
import type { ColumnType, PersonFile } from './person-file.ts';

const SCHEMAS: Readonly<Record<ColumnType, object>> = {
  integer: { type: ['integer', 'null'] },
  decimal: { type: ['string', 'null'], pattern: '^-?[0-9]+(\\.[0-9]+)?$' },
  boolean: { type: ['boolean', 'null'] },
  text: { type: ['string', 'null'] },
  time: { type: ['string', 'null'], format: 'date-time' },
  any: {},
};

const TYPES: Readonly<Record<string, ColumnType>> = {
  bigint: 'integer',
  integer: 'integer',
  smallint: 'integer',
  boolean: 'boolean',
  text: 'text',
  bytea: 'text',
  'timestamp with time zone': 'time',
};

const COLUMNS = `select column_name as name, data_type as type from information_schema.columns
  where table_schema = current_schema() and table_name = $1 order by ordinal_position`;

/** Describes a line of a file. */
export async function describeColumns(db: Db, file: PersonFile): Promise<object> {
  const { rows } = await db.query<{ name: string; type: string }>(COLUMNS, [file.tables[0]]);
  const types = new Map<string, ColumnType>(
    rows
      .filter(({ name }) => !(name in file.omitted))
      .map(({ name, type }) => [name, TYPES[type] ?? 'any']),
  );
  for (const [name, [, type]] of Object.entries(file.shown)) types.set(name, type);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: file.name,
    description: file.description,
    type: 'object',
    properties: Object.fromEntries([...types].map(([name, type]) => [name, SCHEMAS[type]])),
    required: [...types.keys()],
    additionalProperties: false,
  };
}
