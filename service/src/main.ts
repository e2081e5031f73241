/** Command line: `edge-account COMMAND`. */
import { enableCompileCache } from 'node:module';

enableCompileCache();

interface Command {
  /** How it is called, one line for each form. */
  readonly usage: string;
  readonly run: (args: string[]) => Promise<void>;
}

const COMMANDS: Readonly<Record<string, { summary: string; load: () => Promise<Command> }>> = {
  serve: { summary: 'run the service', load: () => import('./commands/serve.ts') },
  migrate: {
    summary: 'apply the database migrations and stop',
    load: () => import('./commands/migrate.ts'),
  },
  operator: {
    summary: "make operators' clients, and let people be operators",
    load: () => import('./commands/operator.ts'),
  },
  verify: {
    summary:
      'replay the whole ledger, recompute settled rewards and the whole tree, and name what does not agree',
    load: () => import('./commands/verify.ts'),
  },
  ledger: {
    summary: 'write the journal, or a signed head, of the ledger',
    load: () => import('./commands/ledger.ts'),
  },
  chains: {
    summary:
      'networks that deposits come from: where their watchers stand, configuration, backfill',
    load: () => import('./commands/chains.ts'),
  },
  clients: {
    summary: 'list, create, change and remove OAuth clients',
    load: () => import('./commands/clients.ts'),
  },
  community: {
    summary: 'make the referral tree anew, after an import or a repair',
    load: () => import('./commands/community.ts'),
  },
  keys: { summary: 'list and rotate the signing keys', load: () => import('./commands/keys.ts') },
  'verify-proof': {
    summary: 'check the proof of a reward offline',
    load: () => import('./commands/verify-proof.ts'),
  },
};

function printHelp(): void {
  const lines = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`,
  );
  console.log(
    `npm run edge-account -- COMMAND [--help]\n\n${lines.join('\n')}\n\nThe configuration comes from the environment; see docs/configuration.md.`,
  );
}

const [name = 'help', ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (!command) {
  printHelp();
  process.exitCode = ['help', '--help', '-h'].includes(name) ? 0 : 2;
} else {
  try {
    const { usage, run } = await command.load();
    if (args.includes('--help') || args.includes('-h'))
      console.log(`${name}: ${command.summary}\n\n${usage}`);
    else await run(args);
  } catch (error) {
    const { reportError: tellFailure } = await import('./commands/report-error.ts');
    tellFailure(error);
    process.exitCode ??= 1;
    process.exit();
  }
}
