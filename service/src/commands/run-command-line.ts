/** The command line: `edge-account COMMAND [ARGUMENTS]`. */
import { PROGRAM } from './program.ts';

interface Command {
  /** How it is called, one line for each form. */
  readonly usage: string;
  readonly run: (args: string[]) => Promise<void>;
}

interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve: { summary: 'run the service', load: () => import('./serve.ts') },
  migrate: {
    summary: 'apply the database migrations and stop',
    load: () => import('./migrate.ts'),
  },
  operator: {
    summary: "make operators' clients, and let people be operators",
    load: () => import('./operator.ts'),
  },
  backup: {
    summary: 'copy the embedded database while the service runs',
    load: () => import('./backup.ts'),
  },
  verify: {
    summary:
      'replay the whole ledger, recompute settled rewards and the whole tree, and name what ' +
      'does not agree',
    load: () => import('./verify.ts'),
  },
  ledger: {
    summary: 'write the journal, or a signed head, of the ledger',
    load: () => import('./ledger.ts'),
  },
  chains: {
    summary:
      'networks that deposits come from: where their watchers stand, configuration, backfill',
    load: () => import('./chains.ts'),
  },
  clients: {
    summary: 'list, create, change and remove OAuth clients',
    load: () => import('./clients.ts'),
  },
  community: {
    summary: 'make the referral tree anew, after an import or a repair',
    load: () => import('./community.ts'),
  },
  export: {
    summary: 'write everything that users have into files',
    load: () => import('./export.ts'),
  },
  import: {
    summary: 'bring users, balances and devices of another system',
    load: () => import('./import.ts'),
  },
  keys: { summary: 'list and rotate the signing keys', load: () => import('./keys.ts') },
  payouts: {
    summary: 'book network fees that belong to no payout',
    load: () => import('./payouts.ts'),
  },
  'restore-check': {
    summary: 'make a restored database safe to serve, and say what it lost',
    load: () => import('./restore-check.ts'),
  },
  'verify-proof': {
    summary: 'check the proof of a reward offline',
    load: () => import('./verify-proof.ts'),
  },
};

/** Commands that change what operators change, with their first word; `import` has none. */
export const AUDITED_COMMANDS: ReadonlySet<string> = new Set([
  ...['operator create', 'operator grant', 'operator revoke'],
  ...['clients create', 'clients update', 'clients secret', 'clients delete'],
  ...['keys rotate', 'keys emergency', 'payouts book-fee'],
  ...['chains configure', 'chains token', 'chains backfill', 'chains resume', 'chains halt'],
  ...['ledger currency', 'ledger business', 'ledger wallet', 'import'],
]);

const UNKNOWN_COMMAND_EXIT = 2;

async function runNamed(name: string, args: string[], run: Command['run']): Promise<void> {
  const operation = [name, `${name} ${args[0]}`].find((words) => AUDITED_COMMANDS.has(words));
  if (operation === undefined) return run(args);
  const { nameCommand } = await import('./name-command.ts');
  await nameCommand(operation, () => run(args));
}

function printHelp(): void {
  const lines = Object.entries(COMMANDS).map(
    ([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`,
  );
  console.log(`${PROGRAM} COMMAND [--help]

${lines.join('\n')}

The configuration comes from the environment; see docs/configuration.md.`);
}

/**
 * Runs one command to its end and sets `process.exitCode`. An error is printed, not thrown.
 * @returns false after an error: what the command left open must not keep the process alive
 */
export async function runCommandLine([
  name = 'help',
  ...args
]: readonly string[]): Promise<boolean> {
  const command = COMMANDS[name];
  if (!command) {
    printHelp();
    process.exitCode = ['help', '--help', '-h'].includes(name) ? 0 : UNKNOWN_COMMAND_EXIT;
    return true;
  }
  try {
    const { usage, run } = await command.load();
    if (args.includes('--help') || args.includes('-h'))
      console.log(`${name}: ${command.summary}\n\n${usage}`);
    else await runNamed(name, args, run);
    return true;
  } catch (error) {
    const { reportError } = await import('./report-error.ts');
    reportError(error);
    process.exitCode ??= 1;
    return false;
  }
}
