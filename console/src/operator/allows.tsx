/** What an operator's token allows: roles that only read see the pages without their changes. */
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { ReadOnly } from '../components/read-only.ts';
import { useSession } from '../session/use-session.ts';

/** Stands in for every scope where nothing is changed. */
const READ = 'operator:read';

function useScopes(): ReadonlySet<string> {
  const session = useSession();
  return session.status === 'signed-in' ? session.tokens.scopes : new Set();
}

/** Which of some scopes' pages may be read. */
export function useReads(): (scope: string) => boolean {
  const scopes = useScopes();
  return (scope) => scopes.has(scope) || scopes.has(READ);
}

/** Which scopes' changes may be made. */
export function useChanges(): (scope: string) => boolean {
  const scopes = useScopes();
  return (scope) => scopes.has(scope);
}

interface Props {
  /** The scope of the change. */
  readonly scope: string;
  readonly children: ReactNode;
}

/** Shows what changes something to those who may change it. */
export function Allowed({ scope, children }: Props) {
  return useScopes().has(scope) ? children : null;
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
