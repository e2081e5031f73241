/** Compiles the test token in process, and caches the result for the next run. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCE = readFileSync(new URL('./test-token.sol', import.meta.url), 'utf8');

interface SolcOutput {
  readonly contracts?: Readonly<
    Record<string, { TestToken: { evm: { bytecode: { object: string } } } }>
  >;
  readonly errors?: readonly { severity: string; formattedMessage: string }[];
}

function compile(): string {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources: { 'test-token.sol': { content: SOURCE } },
    settings: { evmVersion: 'paris', outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  const code = output.contracts?.['test-token.sol']?.TestToken.evm.bytecode.object;
  if (code === undefined)
    throw new Error(
      output.errors?.map((error) => error.formattedMessage).join('\n') ?? 'solc gave nothing',
    );
  return `0x${code}`;
}

/** The token's creation code. */
export function tokenBytecode(): `0x${string}` {
  const folder = join(tmpdir(), 'edge-account-solc');
  const file = join(folder, `${createHash('sha256').update(SOURCE).digest('hex')}.hex`);
  if (existsSync(file)) return readFileSync(file, 'utf8') as `0x${string}`;
  const code = compile();
  mkdirSync(folder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, code);
  renameSync(draft, file);
  return code as `0x${string}`;
}
