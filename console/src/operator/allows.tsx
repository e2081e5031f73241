/** What an operator's token allows: roles that only read see the pages without their changes. */
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { ReadOnly } from '../components/read-only.ts';
import { useSession } from '../session/use-session.ts';

/** One scope, or several of which any suffices. */
type Scope = string | readonly string[];

/** Who decides about deposits, and who releases held rewards. */
export const DEPOSITS = ['operator:chains', 'operator:deposits'] as const;
export const HELD_REWARDS = ['operator:rules', 'operator:held-rewards'] as const;

/** Stands in for every scope where nothing is changed. */
const READ = 'operator:read';

function useScopes(): ReadonlySet<string> {
  const session = useSession();
  return session.status === 'signed-in' ? session.tokens.scopes : new Set();
}

const hasAny = (scopes: ReadonlySet<string>, scope: Scope): boolean =>
  [scope].flat().some((name) => scopes.has(name));

/** Which of some scopes' pages may be read. */
export function useReads(): (scope: Scope) => boolean {
  const scopes = useScopes();
  return (scope) => hasAny(scopes, scope) || scopes.has(READ);
}

/** Which scopes' changes may be made. */
export function useChanges(): (scope: Scope) => boolean {
  const scopes = useScopes();
  return (scope) => hasAny(scopes, scope);
}

interface Props {
  /** The scope of the change. */
  readonly scope: Scope;
  readonly children: ReactNode;
}

/** Shows what changes something to those who may change it. */
export function Allowed({ scope, children }: Props) {
  return hasAny(useScopes(), scope) ? children : null;
}

/** Shows forms to everyone: who may not change what is in them reads it. */
export function Editable({ scope, children }: Props) {
  const may = useChanges();
  return <ReadOnly value={!may(scope)}>{children}</ReadOnly>;
}

/** A button that changes something, or leads to where it is changed. */
export function ChangeButton({ scope, ...button }: ComponentProps<typeof Button> & Props) {
  return (
    <Allowed scope={scope}>
      <Button {...button} />
    </Allowed>
  );
}
