/** Compiles contracts of tests in process, and caches the result for the next run. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface SolcOutput {
  readonly contracts?: Readonly<
    Record<string, Readonly<Record<string, { evm: { bytecode: { object: string } } }>>>
  >;
  readonly errors?: readonly { severity: string; formattedMessage: string }[];
}

function compile(file: string, content: string, name: string): string {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources: { [file]: { content } },
    settings: { evmVersion: 'paris', outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  const code = output.contracts?.[file]?.[name]?.evm.bytecode.object;
  if (code === undefined)
    throw new Error(
      output.errors?.map((error) => error.formattedMessage).join('\n') ?? 'solc gave nothing',
    );
  return `0x${code}`;
}

/**
 * The creation code of a contract.
 * @param source file beside this one
 */
export function compileContract(source: string, name: string): `0x${string}` {
  const content = readFileSync(new URL(source, import.meta.url), 'utf8');
  const folder = join(tmpdir(), 'edge-account-solc');
  const file = join(
    folder,
    `${createHash('sha256').update(name).update(content).digest('hex')}.hex`,
  );
  if (existsSync(file)) return readFileSync(file, 'utf8') as `0x${string}`;
  const code = compile(source, content, name);
  mkdirSync(folder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, file);
  return code as `0x${string}`;
}
