/**
 * Writes docs/configuration.md from the schema of the configuration; a test compares the two.
 */
import { writeFileSync } from 'node:fs';
import { ConfigSchema } from '../service/src/config-schema.ts';

interface Field {
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly { readonly const: string }[];
}

function rangeOf(field: Field): string {
  if (field.anyOf) return field.anyOf.map((choice) => `\`${choice.const}\``).join(', ');
  return field.minimum === undefined || field.maximum === undefined
    ? ''
    : `${field.minimum} to ${field.maximum}`;
}

/** The reference as Markdown. */
export function renderConfiguration(): string {
  const rows = Object.entries(ConfigSchema.properties as Record<string, Field>).map(
    ([name, field]) => {
      const fallback =
        field.default === undefined || field.default === '' ? '' : `\`${String(field.default)}\``;
      return `| \`${name}\` | ${fallback} | ${rangeOf(field)} | ${field.description ?? ''} |`;
    },
  );
  return `# Configuration

All settings are environment variables, read once at startup. Every error names its variable. The
service refuses to start with a private key of a chain (extended, raw, WIF or seed words) in any
variable, those of other programs included. This page is generated from the schema
(\`npm run docs\`).

| variable | default | allowed | meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}

if (import.meta.main)
  writeFileSync(new URL('../docs/configuration.md', import.meta.url), renderConfiguration());
